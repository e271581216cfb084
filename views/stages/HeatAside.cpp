// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/stages/HeatAside.h"

#include "views/common/Correlation.h"
#include "views/common/Heat.h"
#include "views/common/PictureCanvas.h"
#include "views/common/PrincipalOperation.h"
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

/// The line of the source that each line came from; -1 also for constants, which are hoisted: no warp
/// waits for them.
static std::vector<int32_t> sourcesWithoutConstants(std::string_view text,
                                                    const compiler::SourceMap &map) {
  const auto numLines = static_cast<size_t>(std::ranges::count(text, '\n')) + 1;
  std::vector<int32_t> sources = sourceLinesOf(map, numLines);
  size_t begin = 0;
  for (int32_t &source : sources) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    if (operationOf(text.substr(begin, end - begin)) == "arith.constant")
      source = -1;
    begin = std::min(end + 1, text.size());
  }
  return sources;
}

/// The first line of the longest run that each line of the source has; lines without a source do not
/// end a run.
static std::map<int32_t, uint32_t> longestRuns(const std::vector<int32_t> &sources) {
  std::map<int32_t, uint32_t> first;
  std::map<int32_t, size_t> longest;
  int32_t current = -1;
  size_t begin = 0, length = 0;
  for (size_t i = 0; i < sources.size(); ++i) {
    if (sources[i] < 0)
      continue;
    if (sources[i] != current) {
      current = sources[i];
      begin = i;
      length = 0;
    }
    if (++length > longest[current]) {
      longest[current] = length;
      first[current] = static_cast<uint32_t>(begin);
    }
  }
  return first;
}

std::map<uint32_t, Mark> heatMarks(const SampleHeat &heat, compiler::StageId stage,
                                   std::string_view text, const compiler::SourceMap &map) {
  std::map<uint32_t, Mark> marks;
  if (stage == compiler::StageId::Sass) {
    for (auto &[line, own] : sassHeat(heat, text)) {
      const bool hasSamples = own.share > 0;
      marks[line] = {std::move(own), -1, hasSamples};
    }
    return marks;
  }
  const std::map<uint32_t, LineHeat> lines = documentHeat(heat);
  const std::vector<int32_t> sources = sourcesWithoutConstants(text, map);
  const std::map<int32_t, uint32_t> numbers = longestRuns(sources);
  for (size_t i = 0; i < sources.size(); ++i) {
    const int32_t source = sources[i];
    const auto found = source < 0 ? lines.end() : lines.find(static_cast<uint32_t>(source));
    if (found != lines.end())
      marks[static_cast<uint32_t>(i)] = {found->second, source, numbers.at(source) == i};
  }
  return marks;
}

} // namespace tilescope::views
