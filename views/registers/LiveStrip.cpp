// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/registers/LiveStrip.h"

#include "views/common/Theme.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace tilescope::views {

/// Between words in one line above the columns.
static constexpr double kBetweenLabelsPx = 12;

using compiler::StageId;
using compiler::access::Step;

std::vector<int> stripColumns(const compiler::machine::CodeLiveness &code, int numColumns) {
  std::vector<int> columns(static_cast<size_t>(std::max(0, numColumns)));
  const size_t steps = code.steps.size();
  for (size_t column = 0; column < columns.size() && steps > 0; ++column) {
    const size_t begin = column * steps / columns.size();
    const size_t end = std::max(begin + 1, (column + 1) * steps / columns.size());
    for (size_t step = begin; step < end; ++step)
      columns[column] = std::max(columns[column], code.general(step));
  }
  return columns;
}

LiveStrip::LiveStrip(QWidget *parent) : PictureCanvas(parent) {
  setAccessibleName(tr("Live registers over the program"));
  setMinimumHeight(scaledPx(90));
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
}

void LiveStrip::setContent(RegistersContentPointer content, StageId stage) {
  m_content = std::move(content);
  m_stage = stage;
  m_sourceLines.clear();
  m_marked.clear();
  m_selected = -1;
  if (!isEmpty()) {
    const compiler::SourceMap &map = m_content->code(m_stage).map;
    m_sourceLines.assign(code().steps.size(), -1);
    for (size_t step = 0; step < m_sourceLines.size(); ++step) {
      const auto found =
          std::ranges::lower_bound(map.lines, code().lines[step], {}, &compiler::LineMapping::line);
      if (found == map.lines.end() || found->line != code().lines[step])
        continue;
      const auto place = std::ranges::find(found->sources, 0u, &SourceRange::file);
      if (place != found->sources.end())
        m_sourceLines[step] = static_cast<int>(place->begin.line);
    }
  }
  resetPlaces();
  viewport()->update();
}

void LiveStrip::setSelected(int step) {
  if (std::exchange(m_selected, step) != step)
    viewport()->update();
}

void LiveStrip::setMarkedLine(int line) {
  std::vector<int> marked;
  for (size_t step = 0; line >= 0 && step < m_sourceLines.size(); ++step)
    if (m_sourceLines[step] == line)
      marked.push_back(static_cast<int>(step));
  if (std::exchange(m_marked, marked) != m_marked)
    viewport()->update();
}

int LiveStrip::numPlaces() const { return isEmpty() ? 0 : static_cast<int>(code().steps.size()); }

int LiveStrip::top() const {
  const int64_t reserved = m_stage == StageId::Sass ? m_content->resources.registers : 0;
  const int most = std::max(code().peakRegisters(), static_cast<int>(reserved));
  return std::max(16, (most + 15) / 16 * 16);
}

QRectF LiveStrip::bodyOf(const QRectF &area) const {
  const QFontMetricsF metrics(labelFont());
  const double left = metrics.horizontalAdvance(QStringLiteral("000")) + 14;
  return area.adjusted(left, metrics.height() + 4, -10, -(metrics.height() + 6));
}

double LiveStrip::xOf(const QRectF &body, int step) const {
  return body.left() + body.width() * step / std::max(1, numPlaces());
}

double LiveStrip::yOf(const QRectF &body, int registers) const {
  return body.bottom() - body.height() * registers / top();
}

QRectF LiveStrip::columnRect(int step) const {
  const QRectF body = bodyOf(QRectF(viewport()->rect()));
  const double x = xOf(body, step);
  return {x, body.top(), std::max(1.0, xOf(body, step + 1) - x), body.height()};
}

int LiveStrip::placeAt(QPointF point) const {
  const QRectF body = bodyOf(QRectF(viewport()->rect()));
  if (isEmpty() || point.x() < body.left() || point.x() >= body.right())
    return -1;
  const int step = static_cast<int>((point.x() - body.left()) / body.width() * numPlaces());
  return std::clamp(step, 0, numPlaces() - 1);
}

int LiveStrip::sourceLineOf(int step) const { return m_sourceLines[static_cast<size_t>(step)]; }

int LiveStrip::otherLineFrom(int step, int by) const {
  int at = step;
  while (at + by >= 0 && at + by < numPlaces()) {
    at += by;
    if (sourceLineOf(at) >= 0 && sourceLineOf(at) != sourceLineOf(step))
      return at;
  }
  return step;
}

int LiveStrip::placeFrom(int place, Step step) const {
  const int last = numPlaces() - 1;
  switch (step) {
  case Step::Left:
    return std::max(0, place - 1);
  case Step::Right:
    return std::min(last, place + 1);
  case Step::Up:
    return otherLineFrom(place, -1);
  case Step::Down:
    return otherLineFrom(place, 1);
  case Step::RowStart:
  case Step::First:
    return 0;
  case Step::RowEnd:
  case Step::Last:
    break;
  }
  return last;
}

/// It never scrolls.
compiler::GridRect LiveStrip::extentOf(int) const { return {}; }
void LiveStrip::layOut() { viewport()->update(); }

bool LiveStrip::keyFor(const QKeyEvent &event) {
  if (event.key() != Qt::Key_P || event.modifiers() != Qt::NoModifier || isEmpty())
    return false;
  Q_EMIT peakRequested();
  return true;
}

void LiveStrip::paintPicture(QPainter &painter) const {
  const QRectF area(viewport()->rect());
  if (isEmpty())
    return drawEmptyText(painter, area);
  draw(painter, area);
}

void LiveStrip::render(QPainter &painter, const QRectF &target) const {
  if (!isEmpty())
    draw(painter, target);
}

void LiveStrip::draw(QPainter &painter, const QRectF &area) const {
  painter.save();
  painter.setFont(labelFont());
  const QRectF body = bodyOf(area);
  drawColumns(painter, body);
  drawLimit(painter, body);
  drawMarks(painter, body);
  painter.restore();
}

void LiveStrip::drawColumns(QPainter &painter, const QRectF &body) const {
  const int numColumns = std::max(1, static_cast<int>(body.width()));
  const std::vector<int> columns = stripColumns(code(), numColumns);
  const int peak = code().peakRegisters();
  for (int i = 0; i < numColumns; ++i) {
    const int registers = columns[static_cast<size_t>(i)];
    const double y = yOf(body, registers);
    painter.fillRect(QRectF(body.left() + i, y, 1, body.bottom() - y),
                     theme()[registers == peak ? ColorRole::Warning : ColorRole::Accent]);
  }
  painter.setPen(theme()[ColorRole::TextMuted]);
  const int step = top() <= 64 ? 16 : top() <= 128 ? 32 : 64;
  const double height = QFontMetricsF(painter.font()).height();
  for (int registers = 0; registers <= top(); registers += step)
    painter.drawText(QRectF(body.left() - 60, yOf(body, registers) - height / 2, 54, height),
                     Qt::AlignRight | Qt::AlignVCenter, QString::number(registers));
  painter.setPen(theme()[ColorRole::BorderStrong]);
  painter.drawLine(body.bottomLeft(), body.bottomRight());
}

QString LiveStrip::peakText() const { return tr("peak %1").arg(code().peakRegisters()); }

/// What the assembler reserved for each thread, beside the words about the peak; without a word where there is
/// no room for it. Empty: nothing is known.
QString LiveStrip::limitText(const QRectF &body) const {
  const int64_t reserved = m_content->resources.registers;
  if (m_stage != StageId::Sass || reserved <= 0)
    return {};
  const QFontMetricsF metrics(labelFont());
  const QString whole = tr("%1 reserved").arg(reserved);
  const double needed = metrics.horizontalAdvance(whole) + metrics.horizontalAdvance(peakText());
  return needed + kBetweenLabelsPx <= body.width() ? whole : QString::number(reserved);
}

void LiveStrip::drawLimit(QPainter &painter, const QRectF &body) const {
  const QString words = limitText(body);
  if (words.isEmpty())
    return;
  const int64_t reserved = m_content->resources.registers;
  const double y = yOf(body, static_cast<int>(reserved));
  painter.setPen(QPen(theme()[ColorRole::Error], 1, Qt::DashLine));
  painter.drawLine(QPointF(body.left(), y), QPointF(body.right(), y));
  painter.drawText(QRectF(body.left(), body.top() - 40, body.width(), 38),
                   Qt::AlignRight | Qt::AlignBottom, words);
}

void LiveStrip::drawMarks(QPainter &painter, const QRectF &body) const {
  for (const int step : m_marked)
    painter.fillRect(
        QRectF(xOf(body, step), body.bottom() + 2, std::max(2.0, body.width() / numPlaces()), 4),
        theme()[ColorRole::FocusEdge]);
  const int peak = static_cast<int>(code().peak());
  const double x = xOf(body, peak);
  painter.setPen(theme()[ColorRole::Text]);
  // Above the columns, in front of the words about the limit.
  const QFontMetricsF metrics(painter.font());
  const double width = metrics.horizontalAdvance(peakText());
  const double most =
      body.right() - metrics.horizontalAdvance(limitText(body)) - kBetweenLabelsPx - width;
  painter.drawText(QRectF(std::max(body.left(), std::min(x, most)), body.top() - 40, width + 4, 38),
                   Qt::AlignLeft | Qt::AlignBottom, peakText());
  for (const int place : {m_selected, highlighted()})
    if (place >= 0 && place < numPlaces()) {
      painter.setPen(QPen(theme()[place == m_selected ? ColorRole::FocusEdge : ColorRole::Text],
                          place == m_selected ? 2 : 1));
      const double at = xOf(body, place) + body.width() / numPlaces() / 2;
      painter.drawLine(QPointF(at, body.top()), QPointF(at, body.bottom() + 6));
    }
}

} // namespace tilescope::views
