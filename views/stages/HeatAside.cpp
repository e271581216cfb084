// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/stages/HeatAside.h"

#include "views/common/Correlation.h"
#include "views/common/Heat.h"
#include "views/common/PictureCanvas.h"
#include "views/common/Theme.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>

namespace tilescope::views {

using Mark = HeatAside::Mark;

static constexpr double kMargin = 4;

double HeatAside::widthIn(double available, const QFontMetricsF &font) {
  m_width = font.horizontalAdvance(QStringLiteral("<0.1 %")) + 2 * kMargin;
  return m_width + (m_inner ? m_inner->widthIn(available - m_width, font) : 0);
}

void HeatAside::paint(QPainter &painter, int32_t line, const QRectF &row, bool isStale) const {
  if (const auto found = m_marks.find(static_cast<uint32_t>(line)); found != m_marks.end()) {
    const Mark &mark = found->second;
    const QRectF area(row.left(), row.top(), m_width - kMargin, row.height());
    const QColor fill = isStale ? theme()[ColorRole::Raised] : warmColor(mark.heat.warmth);
    painter.fillRect(area, fill);
    painter.setPen(inkOn(fill));
    if (mark.hasNumber)
      painter.drawText(area.adjusted(0, 0, -kMargin / 2, 0), Qt::AlignRight | Qt::AlignVCenter,
                       shareText(mark.heat.share));
  }
  if (m_inner)
    m_inner->paint(painter, line, row.adjusted(m_width, 0, 0, 0), isStale);
}

QString HeatAside::words(int32_t line) const {
  const auto found = m_marks.find(static_cast<uint32_t>(line));
  if (found == m_marks.end())
    return {};
  const QString said = heatWords(found->second.heat);
  return found->second.sourceLine < 0
             ? said
             : QCoreApplication::translate("HeatAside", "Line %1 of the source has %2")
                   .arg(found->second.sourceLine + 1)
                   .arg(said);
}

QString HeatAside::tip(int32_t line, double x, const QFontMetricsF &font) const {
  if (x < m_width || !m_inner)
    return words(line);
  return m_inner->tip(line, x - m_width, font);
}

QString HeatAside::description(int32_t line) const {
  const QString own = words(line), other = m_inner ? m_inner->description(line) : QString();
  return own.isEmpty() || other.isEmpty() ? own + other : own + u'\n' + other;
}

std::map<uint32_t, Mark> heatMarks(const SampleHeat &heat, compiler::StageId stage,
                                   std::string_view text, const compiler::SourceMap &map) {
  std::map<uint32_t, Mark> marks;
  if (stage == compiler::StageId::Sass) {
    for (auto &[line, own] : sassHeat(heat, text))
      marks[line] = {std::move(own), -1, true};
    return marks;
  }
  const std::map<uint32_t, LineHeat> lines = documentHeat(heat);
  const auto numLines = static_cast<size_t>(std::ranges::count(text, '\n')) + 1;
  int32_t before = -1;
  const std::vector<int32_t> sources = sourceLinesOf(map, numLines);
  for (size_t i = 0; i < sources.size(); ++i) {
    const int32_t source = sources[i];
    const auto found = source < 0 ? lines.end() : lines.find(static_cast<uint32_t>(source));
    if (found != lines.end())
      marks[static_cast<uint32_t>(i)] = {found->second, source, source != before};
    before = source;
  }
  return marks;
}

} // namespace tilescope::views
