// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/stages/SassAside.h"

#include "compiler/machine/ControlWords.h"
#include "views/common/Theme.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>
#include <QStringList>

#include <algorithm>

namespace tilescope::views {

namespace machine = compiler::machine;
using Field = machine::ControlColumn::Field;

static constexpr double kLaneStep = 6, kLaneMargin = 7, kColumnsMargin = 8;

SassAside::SassAside(std::string sass, std::string_view cubin)
    : m_text(std::move(sass)), m_program(machine::parseSass(m_text, cubin)),
      m_steps(machine::sassSteps(m_program)) {
  std::vector<LineArrow> arrows;
  const auto &all = m_program.instructions;
  for (const machine::SassInstruction &each : all)
    for (const uint32_t target : each.targets)
      // The loop behind the end of the code is never reached.
      if (all[target].line != each.line)
        arrows.push_back({static_cast<int32_t>(each.line), static_cast<int32_t>(all[target].line)});
  m_branches = assignLanes(std::move(arrows));
  for (const LineArrow &arrow : m_branches)
    m_numLanes = std::max(m_numLanes, arrow.lane + 1);
}

int32_t SassAside::instructionAt(int32_t line) const {
  const auto index = static_cast<size_t>(line);
  return line < 0 || index >= m_program.instructionAt.size() ? -1 : m_program.instructionAt[index];
}

/// One lane more than branches need: it is that of barriers.
double SassAside::lanesWidth() const { return kLaneMargin + (m_numLanes + 1) * kLaneStep; }

/// Below this many characters the text is more worth than the columns.
static constexpr double kLeastText = 42;

double SassAside::widthIn(double available, const QFontMetricsF &font) {
  const double step = font.horizontalAdvance(u'0');
  const auto widthOf = [&](size_t count) {
    return lanesWidth() + step * static_cast<double>(count) + 2 * kColumnsMargin;
  };
  m_isNarrow = available - widthOf(machine::kControlColumnsLength) < kLeastText * step;
  return widthOf(shownColumns().second);
}

std::pair<size_t, size_t> SassAside::shownColumns() const {
  if (!m_isNarrow)
    return {0, machine::kControlColumnsLength};
  const auto &places = machine::controlColumnPlaces();
  const auto stall = std::ranges::find(places, Field::Stall, &machine::ControlColumn::field);
  return {stall->begin, stall->length};
}

bool SassAside::setCurrent(int32_t line) {
  const int32_t current = instructionAt(line);
  std::vector<LineArrow> arrows;
  const auto add = [&](uint32_t from, uint32_t to) {
    arrows.push_back({static_cast<int32_t>(m_program.instructions[from].line),
                      static_cast<int32_t>(m_program.instructions[to].line)});
  };
  if (current >= 0) {
    const auto at = static_cast<uint32_t>(current);
    for (const machine::BarrierWaits &waits : machine::barrierWaits(m_program, m_steps, at))
      for (const uint32_t waiter : waits.waiters)
        add(at, waiter);
    const machine::SassControl control = machine::decodeControl(m_program.instructions[at].word);
    for (uint8_t barrier = 0; barrier < machine::kNumBarriers; ++barrier)
      if (control.waitMask >> barrier & 1)
        for (const uint32_t holder : machine::barrierHolders(m_program, m_steps, at, barrier))
          add(holder, at);
  }
  return std::exchange(m_barriers, arrows) != m_barriers;
}

QString SassAside::columns(int32_t line) const {
  const int32_t at = instructionAt(line);
  return at < 0 ? QString()
                : QString::fromStdString(machine::controlColumns(machine::decodeControl(
                      m_program.instructions[static_cast<size_t>(at)].word)));
}

void SassAside::paintArrow(QPainter &painter, const LineArrow &arrow, int32_t line,
                           const QRectF &row) const {
  const double right = row.left() + lanesWidth() - 2;
  const double x = right - kLaneMargin - arrow.lane * kLaneStep;
  const double middle = row.center().y();
  const bool isFirst = line == arrow.first(), isLast = line == arrow.last();
  painter.drawLine(QPointF(x, isFirst ? middle : row.top()),
                   QPointF(x, isLast ? middle : row.bottom()));
  if (line != arrow.from && line != arrow.to)
    return;
  painter.drawLine(QPointF(x, middle), QPointF(right, middle));
  if (line != arrow.to)
    return;
  QPainterPath head(QPointF(right + 1, middle));
  head.lineTo(right - 4, middle - 3);
  head.lineTo(right - 4, middle + 3);
  head.closeSubpath();
  painter.fillPath(head, painter.pen().color());
}

static ColorRole roleOf(Field field) {
  switch (field) {
  case Field::Wait:
    return ColorRole::Warning;
  case Field::Write:
  case Field::Read:
    return ColorRole::Info;
  case Field::Stall:
    return ColorRole::Number;
  case Field::Yield:
  case Field::Reuse:
    break;
  }
  return ColorRole::Register;
}

/// What is none in a column is faint, so that barriers stand out.
void SassAside::paintColumns(QPainter &painter, int32_t instruction, const QRectF &row,
                             bool isStale) const {
  const machine::InstructionWord &word =
      m_program.instructions[static_cast<size_t>(instruction)].word;
  const machine::SassControl control = machine::decodeControl(word);
  const std::string text = machine::controlColumns(control);
  const double step = QFontMetricsF(painter.font()).horizontalAdvance(u'0');
  const auto [begin, count] = shownColumns();
  const double left = row.left() + lanesWidth() + kColumnsMargin;
  for (const machine::ControlColumn &column : machine::controlColumnPlaces()) {
    if (column.begin < begin || column.begin >= begin + count)
      continue;
    const std::string_view part = std::string_view(text).substr(column.begin, column.length);
    const bool isNone = column.field == Field::Stall
                            ? control.stall <= 1
                            : part.find_first_not_of("-rw") == std::string_view::npos;
    painter.setPen(theme()[isStale  ? ColorRole::TextMuted
                           : isNone ? ColorRole::TextFaint
                                    : roleOf(column.field)]);
    const QRectF area(left + static_cast<double>(column.begin - begin) * step, row.top(),
                      static_cast<double>(column.length + 1) * step, row.height());
    painter.drawText(area, Qt::AlignLeft | Qt::AlignVCenter,
                     QString::fromUtf8(part.data(), static_cast<qsizetype>(part.size())));
  }
}

void SassAside::paint(QPainter &painter, int32_t line, const QRectF &row, bool isStale) const {
  painter.save();
  painter.setClipRect(row, Qt::IntersectClip);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(theme()[ColorRole::TextMuted], 1.1));
  for (LineArrow arrow : m_branches)
    if (arrow.covers(line)) {
      ++arrow.lane;
      paintArrow(painter, arrow, line, row);
    }
  painter.setPen(QPen(theme()[ColorRole::FocusEdge], 1.4));
  for (const LineArrow &arrow : m_barriers)
    if (arrow.covers(line))
      paintArrow(painter, arrow, line, row);
  if (const int32_t at = instructionAt(line); at >= 0)
    paintColumns(painter, at, row, isStale);
  painter.restore();
}

QString SassAside::tip(int32_t line, double x, const QFontMetricsF &font) const {
  const int32_t at = instructionAt(line);
  if (at < 0)
    return {};
  const double left = lanesWidth() + kColumnsMargin;
  const double step = font.horizontalAdvance(u'0');
  if (m_isNarrow)
    return description(line);
  const auto place = static_cast<ptrdiff_t>((x - left) / step);
  for (const machine::ControlColumn &column : machine::controlColumnPlaces())
    if (x >= left && place >= static_cast<ptrdiff_t>(column.begin) &&
        place <= static_cast<ptrdiff_t>(column.begin + column.length))
      return QString::fromStdString(
          machine::fieldSentence(m_program, m_steps, static_cast<uint32_t>(at), column.field));
  return description(line);
}

QString SassAside::description(int32_t line) const {
  const int32_t at = instructionAt(line);
  QStringList sentences;
  if (at >= 0)
    for (const std::string &each :
         machine::controlSentences(m_program, m_steps, static_cast<uint32_t>(at)))
      sentences << QString::fromStdString(each);
  return sentences.join(u'\n');
}

} // namespace tilescope::views
