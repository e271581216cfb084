// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/common/PlaneCanvas.h"

#include "views/common/PictureParts.h"
#include "views/common/StepKeys.h"
#include "views/common/Theme.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace tilescope::views {

using compiler::access::Step;

static constexpr double kZoomStep = 1.25;
/// Around the whole picture.
static constexpr double kMarginPx = 10;

PlaneCanvas::PlaneCanvas(QWidget *parent) : QAbstractScrollArea(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setFrameShape(QFrame::NoFrame);
  setProperty(kZoomsByWheel, true);
  viewport()->setMouseTracking(true);
  setMinimumSize(160, 80);
}

void PlaneCanvas::setEmptyText(const QString &text) {
  m_emptyText = text;
  viewport()->update();
}

void PlaneCanvas::setChosen(int place) {
  m_chosen = place < numPlaces() ? place : -1;
  if (m_chosen >= 0)
    bringIntoSight(m_chosen);
  viewport()->update();
}

void PlaneCanvas::setZoom(double zoom) { zoomAbout(zoom, QRectF(viewport()->rect()).center()); }

QRectF PlaneCanvas::shownRect(int place) const { return rectOf(place).translated(corner()); }

void PlaneCanvas::resetPicture() {
  m_chosen = m_hovered = -1;
  m_pressed.reset();
  m_zoom = std::clamp(1.0, zoomRange().first, zoomRange().second);
  layOut();
  horizontalScrollBar()->setValue(0);
  verticalScrollBar()->setValue(verticalScrollBar()->maximum() / 2);
}

void PlaneCanvas::layOut() {
  const QSizeF whole = pictureSize() + QSizeF(2 * kMarginPx, 2 * kMarginPx);
  const QSize room = viewport()->size();
  const auto set = [](QScrollBar *bar, double length, int shown) {
    bar->setRange(0, std::max(0, static_cast<int>(std::min(std::ceil(length), 1e9)) - shown));
    bar->setPageStep(std::max(1, shown));
    bar->setSingleStep(scaledPx(40));
  };
  set(horizontalScrollBar(), whole.width(), room.width());
  set(verticalScrollBar(), whole.height(), room.height());
  viewport()->update();
}

QPointF PlaneCanvas::corner() const {
  const QSizeF whole = pictureSize();
  const auto begin = [](double length, int shown, int scrolled) {
    return std::max(kMarginPx, (shown - length) / 2) - scrolled;
  };
  return {begin(whole.width(), viewport()->width(), horizontalScrollBar()->value()),
          begin(whole.height(), viewport()->height(), verticalScrollBar()->value())};
}

/// What is at a point of the viewport stays there.
void PlaneCanvas::zoomAbout(double zoom, QPointF point) {
  const auto [least, most] = zoomRange();
  const QSizeF before = pictureSize();
  const QPointF place = point - corner();
  m_zoom = std::clamp(zoom, least, most);
  const QSizeF after = pictureSize();
  layOut();
  if (before.isEmpty())
    return;
  const auto scrolled = [](double at, double length, double lengthBefore, double shownAt) {
    return static_cast<int>(std::lround(at * length / lengthBefore + kMarginPx - shownAt));
  };
  horizontalScrollBar()->setValue(scrolled(place.x(), after.width(), before.width(), point.x()));
  verticalScrollBar()->setValue(scrolled(place.y(), after.height(), before.height(), point.y()));
}

/// What is out of sight, or at an edge, comes to the middle.
void PlaneCanvas::bringIntoSight(int place) {
  constexpr double kEdgePx = 12;
  const QRectF rect = shownRect(place);
  const auto scroll = [](QScrollBar *bar, double begin, double end, int shown) {
    if (begin < kEdgePx || end > shown - kEdgePx)
      bar->setValue(bar->value() + static_cast<int>(std::lround((begin + end - shown) / 2)));
  };
  scroll(horizontalScrollBar(), rect.left(), rect.right(), viewport()->width());
  scroll(verticalScrollBar(), rect.top(), rect.bottom(), viewport()->height());
}

void PlaneCanvas::drawEmptyText(QPainter &painter, const QRectF &area) const {
  views::drawEmptyText(painter, area, m_emptyText);
}

void PlaneCanvas::paintEvent(QPaintEvent *) {
  QPainter painter(viewport());
  const QRectF area = viewport()->rect();
  painter.fillRect(area, theme()[ColorRole::Panel]);
  if (numPlaces() == 0) {
    drawEmptyText(painter, area);
  } else {
    const QPointF origin = corner();
    painter.translate(origin);
    paintPicture(painter, area.translated(-origin));
    painter.resetTransform();
  }
  if (hasFocus())
    drawFocusEdge(painter, area);
}

void PlaneCanvas::hover(int place) {
  if (std::exchange(m_hovered, place) == place)
    return;
  viewport()->update();
  Q_EMIT placeHovered(place);
}

void PlaneCanvas::choose(int place) {
  setChosen(place);
  Q_EMIT placeChosen(m_chosen);
}

bool PlaneCanvas::moveFor(const QKeyEvent &event) {
  const std::optional<Step> step = stepOf(event);
  if (!step)
    return false;
  // The first key begins at the first place.
  choose(m_chosen < 0 ? 0 : placeFrom(m_chosen, *step));
  return true;
}

bool PlaneCanvas::zoomFor(const QKeyEvent &event) {
  if (event.modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier))
    return false;
  // About the chosen place, if it is in sight.
  QPointF about = QRectF(viewport()->rect()).center();
  if (m_chosen >= 0 && viewport()->rect().contains(shownRect(m_chosen).center().toPoint()))
    about = shownRect(m_chosen).center();
  switch (event.key()) {
  case Qt::Key_Plus:
  case Qt::Key_Equal:
    zoomAbout(m_zoom * kZoomStep, about);
    return true;
  case Qt::Key_Minus:
    zoomAbout(m_zoom / kZoomStep, about);
    return true;
  case Qt::Key_0:
    zoomAbout(zoomRange().first, about);
    return true;
  default:
    return false;
  }
}

void PlaneCanvas::keyPressEvent(QKeyEvent *event) {
  const bool isOurs =
      numPlaces() > 0 && !(event->modifiers() & (Qt::AltModifier | Qt::MetaModifier));
  if (isOurs && (zoomFor(*event) || moveFor(*event)))
    return;
  const bool isPlain = !(event->modifiers() & ~Qt::KeypadModifier);
  if (isPlain && m_chosen >= 0 && (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter))
    Q_EMIT placeOpened(m_chosen);
  else if (isPlain && m_chosen >= 0 && event->key() == Qt::Key_Escape)
    choose(-1);
  else
    QAbstractScrollArea::keyPressEvent(event);
}

void PlaneCanvas::mousePressEvent(QMouseEvent *event) {
  if (event->button() != Qt::LeftButton)
    return;
  m_pressed = event->position();
  m_pressedAt = {horizontalScrollBar()->value(), verticalScrollBar()->value()};
  m_isDragging = false;
}

void PlaneCanvas::mouseMoveEvent(QMouseEvent *event) {
  if (!m_pressed)
    return hover(placeAt(event->position() - corner()));
  const QPointF moved = event->position() - *m_pressed;
  if (!m_isDragging && moved.manhattanLength() < QApplication::startDragDistance())
    return;
  m_isDragging = true;
  viewport()->setCursor(Qt::ClosedHandCursor);
  horizontalScrollBar()->setValue(m_pressedAt.x() - static_cast<int>(moved.x()));
  verticalScrollBar()->setValue(m_pressedAt.y() - static_cast<int>(moved.y()));
}

void PlaneCanvas::mouseReleaseEvent(QMouseEvent *event) {
  if (event->button() != Qt::LeftButton || !m_pressed)
    return;
  m_pressed.reset();
  viewport()->unsetCursor();
  if (!std::exchange(m_isDragging, false))
    choose(placeAt(event->position() - corner()));
}

void PlaneCanvas::mouseDoubleClickEvent(QMouseEvent *event) {
  const int place = placeAt(event->position() - corner());
  if (event->button() == Qt::LeftButton && place >= 0)
    Q_EMIT placeOpened(place);
}

void PlaneCanvas::wheelEvent(QWheelEvent *event) {
  if (!event->modifiers().testFlag(Qt::ControlModifier))
    return QAbstractScrollArea::wheelEvent(event);
  zoomAbout(m_zoom * std::pow(1.0015, event->angleDelta().y()), event->position());
  event->accept();
}

bool PlaneCanvas::viewportEvent(QEvent *event) {
  if (event->type() == QEvent::Leave)
    hover(-1);
  return QAbstractScrollArea::viewportEvent(event);
}

void PlaneCanvas::resizeEvent(QResizeEvent *event) {
  QAbstractScrollArea::resizeEvent(event);
  const bool wasInSight =
      m_chosen >= 0 && QRectF(QPointF(), event->oldSize()).intersects(shownRect(m_chosen));
  m_zoom = std::clamp(m_zoom, zoomRange().first, zoomRange().second);
  layOut();
  if (wasInSight)
    bringIntoSight(m_chosen);
}

void PlaneCanvas::changeEvent(QEvent *event) {
  QAbstractScrollArea::changeEvent(event);
  if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
    layOut();
}

void PlaneCanvas::focusInEvent(QFocusEvent *event) {
  QAbstractScrollArea::focusInEvent(event);
  viewport()->update();
}

void PlaneCanvas::focusOutEvent(QFocusEvent *event) {
  QAbstractScrollArea::focusOutEvent(event);
  viewport()->update();
}

} // namespace tilescope::views
