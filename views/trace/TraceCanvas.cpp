// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/trace/TraceCanvas.h"

#include "views/common/Theme.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace tilescope::views {

using compiler::access::Step;
using profiler::TraceBar;
using profiler::TracePicture;
using profiler::TraceWindow;

/// Lengths at the standard size of text.
static constexpr int kLeastRowPx = 13, kMostRowPx = 24, kMarginPx = 8;
static constexpr double kZoomStep = 1.5, kPanShare = 0.2;

TraceCanvas::TraceCanvas(QWidget *parent) : PictureCanvas(parent) {}

void TraceCanvas::setProgram(TraceContentPointer content, int64_t program) {
  m_content = std::move(content);
  m_program = program;
  m_whole = m_content ? TracePicture::wholeOf(m_content->trace, program) : TraceWindow();
  m_window = m_whole;
  resetPlaces();
  layOut();
  Q_EMIT windowChanged();
}

void TraceCanvas::setWindow(const TraceWindow &window) {
  if (!m_content || window == m_window)
    return;
  // The bar stays pointed at where it is still in sight.
  const int before = highlighted();
  std::optional<TraceBar> kept;
  if (before >= 0 && before < numPlaces())
    kept = m_picture.bars()[static_cast<size_t>(before)];
  m_window = window;
  layOut();
  int now = -1;
  if (kept)
    for (size_t i = 0; i < m_picture.bars().size(); ++i)
      if (m_picture.bars()[i].row == kept->row && m_picture.bars()[i].span == kept->span)
        now = static_cast<int>(i);
  setKeyPlace(std::max(now, 0));
  setHighlighted(now);
  Q_EMIT windowChanged();
}

void TraceCanvas::zoomTime(double factor, uint64_t about) {
  setWindow(profiler::zoomed(m_window, m_whole, factor, about));
}

void TraceCanvas::panTime(double share) { setWindow(profiler::panned(m_window, m_whole, share)); }

uint64_t TraceCanvas::timeOfInterest() const {
  if (highlighted() < 0 || highlighted() >= numPlaces())
    return m_window.begin + m_window.length() / 2;
  const TraceBar &bar = m_picture.bars()[static_cast<size_t>(highlighted())];
  return m_picture.cycleAt(bar.x + bar.width / 2);
}

void TraceCanvas::setMarkedLine(int64_t line) {
  if (std::exchange(m_markedLine, line) != line)
    viewport()->update();
}

double TraceCanvas::nameWidth() const {
  const QFontMetricsF metrics(labelFont());
  return metrics.horizontalAdvance(tr("warp 00, under way")) + 20;
}

double TraceCanvas::headHeight() const { return QFontMetricsF(labelFont()).height() + 6; }

double TraceCanvas::footHeight() const { return 2 * QFontMetricsF(labelFont()).height() + 8; }

PictureFrame TraceCanvas::frameFor(const QRectF &area) const {
  return {area, nameWidth(), headHeight(), footHeight()};
}

TracePicture TraceCanvas::pictureFor(const QRectF &area, double rowHeight) const {
  if (!m_content)
    return {};
  return TracePicture(m_content->trace, m_program, {frameFor(area).rowWidth(kMarginPx), rowHeight},
                      m_window);
}

void TraceCanvas::layOut() {
  const QRectF area = viewport()->rect();
  const double room = frameFor(area).body.height();
  double fitting = scaledPx(kMostRowPx);
  if (m_content) {
    // How many rows there are does not depend on their height.
    const auto rows = static_cast<double>(pictureFor(area, 1).rows().size());
    fitting = std::clamp(room / std::max(1.0, rows), double(scaledPx(kLeastRowPx)),
                         double(scaledPx(kMostRowPx)));
  }
  m_picture = pictureFor(area, fitting * zoom());
  setHeights(m_picture.height(), room, m_picture.rowHeight());
  viewport()->update();
}

int TraceCanvas::numPlaces() const { return static_cast<int>(m_picture.bars().size()); }

int TraceCanvas::placeAt(QPointF point) const {
  const PictureFrame frame = frameFor(viewport()->rect());
  if (!frame.body.contains(point))
    return -1;
  const QPointF at = pointInRows(frame, point);
  return m_picture.barAt(at.x(), at.y());
}

int TraceCanvas::placeFrom(int place, Step step) const {
  const int last = numPlaces() - 1;
  if (last < 0)
    return place;
  const int from = std::clamp(place, 0, last);
  switch (step) {
  case Step::Left:
    return m_picture.beside(from, -1);
  case Step::Right:
    return m_picture.beside(from, 1);
  case Step::Up:
    return m_picture.acrossRows(from, -1);
  case Step::Down:
    return m_picture.acrossRows(from, 1);
  case Step::First:
    return 0;
  case Step::Last:
    return last;
  case Step::RowStart:
  case Step::RowEnd:
    break;
  }
  const int by = step == Step::RowStart ? -1 : 1;
  int end = from;
  for (int next = m_picture.beside(end, by); next != end; next = m_picture.beside(end, by))
    end = next;
  return end;
}

compiler::GridRect TraceCanvas::extentOf(int place) const {
  if (place < 0 || place >= numPlaces())
    return {};
  const TraceBar &bar = m_picture.bars()[static_cast<size_t>(place)];
  return {bar.x, m_picture.top(bar.row), bar.width, m_picture.rowHeight()};
}

QRectF TraceCanvas::barRect(int bar) const {
  if (bar < 0 || bar >= numPlaces())
    return {};
  PictureFrame frame = frameFor(viewport()->rect());
  scroll(frame);
  return rectOf(frame, m_picture, static_cast<size_t>(bar));
}

bool TraceCanvas::keyFor(const QKeyEvent &event) {
  if (event.modifiers() & ~Qt::KeyboardModifiers(Qt::ShiftModifier) || !m_content)
    return false;
  const bool isShifted = event.modifiers().testFlag(Qt::ShiftModifier);
  switch (event.key()) {
  case Qt::Key_X:
    zoomTime(isShifted ? 1 / kZoomStep : kZoomStep, timeOfInterest());
    return true;
  case Qt::Key_A:
    panTime(-kPanShare);
    return true;
  case Qt::Key_D:
    panTime(kPanShare);
    return true;
  case Qt::Key_W:
    showWhole();
    return true;
  default:
    return false;
  }
}

void TraceCanvas::wheelEvent(QWheelEvent *event) {
  const Qt::KeyboardModifiers modifiers = event->modifiers();
  // Some platforms turn the wheel's direction where Shift is held.
  const QPoint turned = event->angleDelta();
  const double angle = turned.y() != 0 ? turned.y() : turned.x();
  if (modifiers == Qt::ControlModifier) {
    const QPointF at = pointInRows(frameFor(viewport()->rect()), event->position());
    zoomTime(std::pow(1.0025, angle), m_picture.cycleAt(at.x()));
  } else if (modifiers == Qt::ShiftModifier) {
    panTime(-angle / 1200);
  } else {
    return PictureCanvas::wheelEvent(event);
  }
  event->accept();
}

double TraceCanvas::heightFor(double) const {
  const auto rows = static_cast<double>(m_picture.rows().size());
  return headHeight() + footHeight() + rows * scaledPx(kMostRowPx) * 0.8;
}

void TraceCanvas::render(QPainter &painter, const QRectF &target) const {
  painter.fillRect(target, theme()[ColorRole::Panel]);
  draw(painter, frameFor(target), pictureFor(target, scaledPx(kMostRowPx) * 0.8));
}

void TraceCanvas::paintPicture(QPainter &painter) const {
  PictureFrame frame = frameFor(viewport()->rect());
  scroll(frame);
  draw(painter, frame, m_picture);
}

} // namespace tilescope::views
