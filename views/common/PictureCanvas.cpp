// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/common/PictureCanvas.h"

#include "views/common/QuotedCode.h"
#include "views/common/StepKeys.h"
#include "views/common/Theme.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace tilescope::views {

using compiler::access::Step;

static constexpr double kZoomStep = 1.25, kLeastZoom = 1, kMostZoom = 6;

void PictureFrame::keepWhole(const compiler::Interval &inSight,
                             const std::function<compiler::GridRect(size_t row)> &rowAt) {
  // Places are rounded to pixels.
  constexpr double kRoundingPx = 0.6;
  const auto topOf = [&](int64_t row) { return origin.y() + rowAt(static_cast<size_t>(row)).y; };
  const auto bottomOf = [&](int64_t row) {
    return topOf(row) + rowAt(static_cast<size_t>(row)).height;
  };
  auto [first, behind] = inSight;
  // An only row is cut rather than left out.
  if (behind - first > 1 && bottomOf(behind - 1) > body.bottom() + kRoundingPx)
    rows.setBottom(topOf(--behind));
  if (behind - first > 1 && topOf(first) < body.top() - kRoundingPx)
    rows.setTop(bottomOf(first));
}

PictureCanvas::PictureCanvas(QWidget *parent) : QAbstractScrollArea(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setProperty(kZoomsByWheel, true);
  viewport()->setMouseTracking(true);
  setMinimumSize(160, 80);
}

void PictureCanvas::setEmptyText(const QString &text) {
  m_emptyText = text;
  viewport()->update();
}

void PictureCanvas::setHighlighted(int place) {
  if (std::exchange(m_highlighted, place) != place)
    viewport()->update();
}

void PictureCanvas::setKeyPlace(int place) {
  if (hasKeyPlace())
    m_hovered = place;
  m_keyPlace = place;
  if (extentOf(place).height > 0)
    showPlace(place);
}

void PictureCanvas::resetPlaces() {
  m_highlighted = m_hovered = -1;
  m_keyPlace = std::max(0, std::min(m_keyPlace, numPlaces() - 1));
}

void PictureCanvas::setHeights(double whole, double inSight, double step) {
  // What just fits is not told from it by rounding.
  constexpr double kRounding = 1e-6;
  verticalScrollBar()->setRange(
      0, std::max(0, static_cast<int>(std::ceil(whole - inSight - kRounding))));
  verticalScrollBar()->setPageStep(std::max(1, static_cast<int>(inSight)));
  verticalScrollBar()->setSingleStep(std::max(1, static_cast<int>(step)));
  viewport()->update();
}

void PictureCanvas::drawEmptyText(QPainter &painter, const QRectF &area) const {
  views::drawEmptyText(painter, area, m_emptyText);
}

void PictureCanvas::drawOutline(QPainter &painter, const QRectF &rect) const {
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(theme()[ColorRole::Panel], 4));
  painter.drawRect(rect.adjusted(-1, -1, 1, 1));
  painter.setPen(QPen(theme()[ColorRole::FocusEdge], 2));
  painter.drawRect(rect.adjusted(-1, -1, 1, 1));
}

void PictureCanvas::paintEvent(QPaintEvent *) {
  QPainter painter(viewport());
  painter.fillRect(viewport()->rect(), theme()[ColorRole::Panel]);
  paintPicture(painter);
  if (hasFocus())
    drawFocusEdge(painter, viewport()->rect());
}

void PictureCanvas::hover(int place) {
  if (std::exchange(m_hovered, place) != place)
    Q_EMIT placeHovered(place);
}

void PictureCanvas::showPlace(int place) {
  const compiler::GridRect row = extentOf(place);
  QScrollBar *bar = verticalScrollBar();
  const int top = static_cast<int>(row.y), bottom = static_cast<int>(row.y + row.height);
  bar->setValue(std::min(std::max(bar->value(), bottom - bar->pageStep()), top));
}

bool PictureCanvas::moveFor(const QKeyEvent &event) {
  const std::optional<Step> step = stepOf(event);
  if (!step)
    return false;
  // The first key only shows where the keys are.
  m_keyPlace = m_hovered < 0 && m_highlighted < 0 ? m_keyPlace : placeFrom(m_keyPlace, *step);
  showPlace(m_keyPlace);
  hover(m_keyPlace);
  return true;
}

bool PictureCanvas::zoomFor(const QKeyEvent &event) {
  if (event.modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier))
    return false;
  switch (event.key()) {
  case Qt::Key_Plus:
  case Qt::Key_Equal:
    zoomBy(kZoomStep);
    return true;
  case Qt::Key_Minus:
    zoomBy(1 / kZoomStep);
    return true;
  case Qt::Key_0:
    zoomBy(0);
    return true;
  default:
    return false;
  }
}

void PictureCanvas::scroll(PictureFrame &frame) const {
  frame.origin.ry() -= verticalScrollBar()->value();
}

QPointF PictureCanvas::pointInRows(const PictureFrame &frame, QPointF point) const {
  return point - frame.origin + QPointF(0, verticalScrollBar()->value());
}

void PictureCanvas::clipToRows(QPainter &painter, const PictureFrame &frame) {
  painter.save();
  painter.setClipRect(frame.rows, Qt::IntersectClip);
  painter.setFont(labelFont());
}

void PictureCanvas::zoomBy(double factor) {
  m_zoom = std::clamp(m_zoom * factor, kLeastZoom, kMostZoom);
  layOut();
}

void PictureCanvas::keyPressEvent(QKeyEvent *event) {
  const bool isOurs = !(event->modifiers() & (Qt::AltModifier | Qt::MetaModifier));
  if (isOurs && (keyFor(*event) || zoomFor(*event)))
    return;
  if (!isOurs || numPlaces() == 0)
    return QAbstractScrollArea::keyPressEvent(event);
  const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  const bool isEscape = event->key() == Qt::Key_Escape && m_highlighted >= 0;
  if (event->modifiers().testFlag(Qt::ControlModifier) || !(isEnter || isEscape)) {
    if (!moveFor(*event))
      QAbstractScrollArea::keyPressEvent(event);
    return;
  }
  const int before = m_highlighted;
  m_hovered = isEscape ? -1 : m_keyPlace;
  Q_EMIT placePinned(m_hovered);
  // What the cursor marks stays: Escape is for somebody else.
  if (isEscape && m_highlighted == before)
    event->ignore();
}

void PictureCanvas::mousePressEvent(QMouseEvent *event) {
  if (event->button() != Qt::LeftButton)
    return;
  const int place = placeAt(event->position());
  m_keyPlace = std::max(place, 0);
  // Beside all places, the keys go on from the first one in sight.
  const int top = verticalScrollBar()->value();
  for (int i = 0; place < 0 && i < numPlaces(); ++i)
    if (extentOf(i).y >= top) {
      m_keyPlace = i;
      break;
    }
  m_hovered = place;
  Q_EMIT placePinned(place);
}

void PictureCanvas::mouseMoveEvent(QMouseEvent *event) { hover(placeAt(event->position())); }

void PictureCanvas::wheelEvent(QWheelEvent *event) {
  if (!event->modifiers().testFlag(Qt::ControlModifier))
    return QAbstractScrollArea::wheelEvent(event);
  zoomBy(std::pow(1.0015, event->angleDelta().y()));
  event->accept();
}

bool PictureCanvas::viewportEvent(QEvent *event) {
  if (event->type() == QEvent::Leave)
    hover(-1);
  return QAbstractScrollArea::viewportEvent(event);
}

void PictureCanvas::resizeEvent(QResizeEvent *event) {
  QAbstractScrollArea::resizeEvent(event);
  layOut();
}

void PictureCanvas::changeEvent(QEvent *event) {
  QAbstractScrollArea::changeEvent(event);
  if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
    layOut();
}

void PictureCanvas::focusInEvent(QFocusEvent *event) {
  QAbstractScrollArea::focusInEvent(event);
  viewport()->update();
}

void PictureCanvas::focusOutEvent(QFocusEvent *event) {
  QAbstractScrollArea::focusOutEvent(event);
  hover(-1);
  viewport()->update();
}

} // namespace tilescope::views
