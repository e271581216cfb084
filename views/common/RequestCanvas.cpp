// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/common/RequestCanvas.h"

#include "views/common/Theme.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QPainter>

#include <algorithm>

namespace tilescope::views {

namespace access = compiler::access;
using access::RequestGrid;
using access::Step;

/// Heights of a line at the standard size of text.
static constexpr int kLeastRowPx = 13, kMostRowPx = 30, kGapPx = 4, kMarginPx = 8;

RequestCanvas::RequestCanvas(QWidget *parent) : PictureCanvas(parent) {}

void RequestCanvas::setContent(Content content) {
  m_content = std::move(content);
  resetPlaces();
  layOut();
}

double RequestCanvas::headHeight() const {
  const double line = QFontMetricsF(labelFont()).height();
  return line + 6 + (showsPasses() ? line + 2 : 0);
}
double RequestCanvas::footHeight() const { return QFontMetricsF(labelFont()).height() + 8; }

/// Names take at most as much as they leave to the lines.
double RequestCanvas::nameWidth(double width) const {
  // The head has a word there, too.
  const double head =
      showsPasses() ? QFontMetricsF(labelFont()).horizontalAdvance(tr("words")) : 0.0;
  return std::min(std::max(m_widestName, head) + 12, width * 0.35);
}

RequestCanvas::Frame RequestCanvas::frameFor(const QRectF &area, double rowHeight) const {
  const PictureFrame frame(area, nameWidth(area.width()), headHeight(), footHeight());
  return {frame, RequestGrid(m_content.request,
                             {frame.rowWidth(kMarginPx), rowHeight, double(scaledPx(kGapPx))})};
}

void RequestCanvas::layOut() {
  const QFontMetricsF metrics(labelFont());
  m_widestName = 0;
  for (const access::PictureLine &line : m_content.request.lines)
    if (m_content.lineName)
      m_widestName =
          std::max(m_widestName, metrics.horizontalAdvance(m_content.lineName(line.address)));
  const QRectF area = viewport()->rect();
  const double room = area.height() - headHeight() - footHeight() - 2;
  const double least = std::max<double>(scaledPx(kLeastRowPx), metrics.height() * 0.8);
  const double fitting =
      RequestGrid::fittingRowHeight(m_content.request, room, scaledPx(kGapPx), least,
                                    std::max<double>(least, scaledPx(kMostRowPx)));
  m_grid = frameFor(area, fitting * zoom()).grid;
  setHeights(m_grid.height(), room, m_grid.rowHeight());
}

QRectF RequestCanvas::placeRect(int place) const {
  if (place < 0 || place >= static_cast<int>(m_content.request.places.size()))
    return {};
  const Frame frame = inSight();
  return rectOf(frame, m_grid.place(m_content.request.places[static_cast<size_t>(place)]));
}

RequestCanvas::Frame RequestCanvas::inSight() const {
  Frame frame = frameFor(viewport()->rect(), m_grid.rowHeight());
  scroll(frame);
  frame.keepWhole(frame.linesInSight(), [&](size_t line) { return frame.grid.row(line); });
  return frame;
}

int RequestCanvas::placeAt(QPointF point) const {
  const Frame frame = inSight();
  if (!frame.rows.contains(point))
    return -1;
  const QPointF at = point - frame.origin;
  return access::placeAt(m_content.request, m_grid, {at.x(), at.y()});
}

int RequestCanvas::numPlaces() const { return static_cast<int>(m_content.request.places.size()); }

int RequestCanvas::placeFrom(int place, Step step) const {
  return access::placeFrom(m_content.request, place, step);
}

compiler::GridRect RequestCanvas::extentOf(int place) const {
  return m_grid.row(m_content.request.places[static_cast<size_t>(place)].line);
}

bool RequestCanvas::keyFor(const QKeyEvent &event) {
  static constexpr std::pair<Qt::Key, Scrub> kKeys[] = {{Qt::Key_W, Scrub::Warp},
                                                        {Qt::Key_I, Scrub::Instruction},
                                                        {Qt::Key_T, Scrub::Iteration},
                                                        {Qt::Key_P, Scrub::Program},
                                                        {Qt::Key_S, Scrub::Pass}};
  if (event.modifiers() & ~Qt::ShiftModifier)
    return false;
  for (const auto &[key, scrub] : kKeys)
    if (event.key() == key) {
      Q_EMIT scrubRequested(scrub, event.modifiers().testFlag(Qt::ShiftModifier) ? -1 : 1);
      return true;
    }
  return false;
}

double RequestCanvas::heightFor(double width) const {
  const Frame frame = frameFor(QRectF(0, 0, width, 1000), scaledPx(kMostRowPx) * 0.7);
  return headHeight() + frame.grid.height() + footHeight() + 4;
}

void RequestCanvas::render(QPainter &painter, const QRectF &target) const {
  painter.fillRect(target, theme()[ColorRole::Panel]);
  draw(painter, frameFor(target, scaledPx(kMostRowPx) * 0.7));
}

} // namespace tilescope::views
