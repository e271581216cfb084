// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/access/RequestCanvas.h"

#include "views/common/Theme.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace tilescope::views {

namespace access = compiler::access;
using access::RequestGrid;
using access::Step;

/// Heights of a line at the standard size of text.
static constexpr int kLeastRowPx = 13, kMostRowPx = 30, kGapPx = 4, kMarginPx = 8;
static constexpr double kZoomStep = 1.25, kLeastZoom = 1, kMostZoom = 6;

RequestCanvas::RequestCanvas(QWidget *parent) : QAbstractScrollArea(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setProperty(kZoomsByWheel, true);
  viewport()->setMouseTracking(true);
  setMinimumSize(160, 80);
}

void RequestCanvas::setEmptyText(const QString &text) {
  m_emptyText = text;
  viewport()->update();
}

void RequestCanvas::setContent(Content content) {
  m_content = std::move(content);
  m_highlighted = m_hovered = -1;
  m_keyPlace = std::min(m_keyPlace, static_cast<int>(m_content.request.places.size()) - 1);
  m_keyPlace = std::max(m_keyPlace, 0);
  layOut();
}

void RequestCanvas::setHighlighted(int place) {
  if (std::exchange(m_highlighted, place) != place)
    viewport()->update();
}

double RequestCanvas::headHeight() const { return QFontMetricsF(labelFont()).height() + 6; }
double RequestCanvas::footHeight() const { return QFontMetricsF(labelFont()).height() + 8; }

/// Names take at most as much as they leave to the lines.
double RequestCanvas::nameWidth(double width) const {
  return std::min(m_widestName + 12, width * 0.35);
}

RequestCanvas::Frame RequestCanvas::frameFor(const QRectF &area, double rowHeight) const {
  const double left = nameWidth(area.width());
  Frame frame;
  frame.all = area;
  frame.body = area.adjusted(0, headHeight(), 0, -footHeight());
  frame.origin = frame.body.topLeft() + QPointF(left, 0);
  const double width = std::max(32.0, area.width() - left - kMarginPx);
  frame.grid = RequestGrid(m_content.request, {width, rowHeight, double(scaledPx(kGapPx))});
  return frame;
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
  m_grid = frameFor(area, fitting * m_zoom).grid;
  verticalScrollBar()->setRange(0,
                                std::max(0, static_cast<int>(std::ceil(m_grid.height() - room))));
  verticalScrollBar()->setPageStep(std::max(1, static_cast<int>(room)));
  verticalScrollBar()->setSingleStep(static_cast<int>(m_grid.rowHeight()));
  viewport()->update();
}

QRectF RequestCanvas::placeRect(int place) const {
  if (place < 0 || place >= static_cast<int>(m_content.request.places.size()))
    return {};
  Frame frame = frameFor(viewport()->rect(), m_grid.rowHeight());
  frame.origin.ry() -= verticalScrollBar()->value();
  return rectOf(frame, m_grid.place(m_content.request.places[static_cast<size_t>(place)]));
}

int RequestCanvas::placeAt(QPointF point) const {
  const Frame frame = frameFor(viewport()->rect(), m_grid.rowHeight());
  if (!frame.body.contains(point))
    return -1;
  const QPointF at = point - frame.origin + QPointF(0, verticalScrollBar()->value());
  return access::placeAt(m_content.request, m_grid, {at.x(), at.y()});
}

void RequestCanvas::hover(int place) {
  if (std::exchange(m_hovered, place) != place)
    Q_EMIT placeHovered(place);
}

void RequestCanvas::showPlace(int place) {
  const auto line = m_content.request.places[static_cast<size_t>(place)].line;
  const compiler::GridRect row = m_grid.row(line);
  QScrollBar *bar = verticalScrollBar();
  const int top = static_cast<int>(row.y), bottom = static_cast<int>(row.y + row.height);
  bar->setValue(std::min(std::max(bar->value(), bottom - bar->pageStep()), top));
}

bool RequestCanvas::moveFor(const QKeyEvent &event) {
  const bool isWhole = event.modifiers().testFlag(Qt::ControlModifier);
  Step step{};
  switch (event.key()) {
  case Qt::Key_Left:
    step = Step::Left;
    break;
  case Qt::Key_Right:
    step = Step::Right;
    break;
  case Qt::Key_Up:
    step = Step::Up;
    break;
  case Qt::Key_Down:
    step = Step::Down;
    break;
  case Qt::Key_Home:
    step = isWhole ? Step::First : Step::RowStart;
    break;
  case Qt::Key_End:
    step = isWhole ? Step::Last : Step::RowEnd;
    break;
  default:
    return false;
  }
  // The first key only shows where the keys are.
  m_keyPlace = m_hovered < 0 && m_highlighted < 0
                   ? m_keyPlace
                   : access::placeFrom(m_content.request, m_keyPlace, step);
  showPlace(m_keyPlace);
  hover(m_keyPlace);
  return true;
}

bool RequestCanvas::scrubFor(const QKeyEvent &event) {
  static constexpr std::pair<Qt::Key, Scrub> kKeys[] = {{Qt::Key_W, Scrub::Warp},
                                                        {Qt::Key_I, Scrub::Instruction},
                                                        {Qt::Key_T, Scrub::Iteration},
                                                        {Qt::Key_P, Scrub::Program}};
  if (event.modifiers() & ~Qt::ShiftModifier)
    return false;
  for (const auto &[key, scrub] : kKeys)
    if (event.key() == key) {
      Q_EMIT scrubRequested(scrub, event.modifiers().testFlag(Qt::ShiftModifier) ? -1 : 1);
      return true;
    }
  return false;
}

bool RequestCanvas::zoomFor(const QKeyEvent &event) {
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

void RequestCanvas::zoomBy(double factor) {
  m_zoom = std::clamp(m_zoom * factor, kLeastZoom, kMostZoom);
  layOut();
}

void RequestCanvas::keyPressEvent(QKeyEvent *event) {
  const bool isOurs = !(event->modifiers() & (Qt::AltModifier | Qt::MetaModifier));
  if (isOurs && (scrubFor(*event) || zoomFor(*event)))
    return;
  if (!isOurs || m_content.request.places.empty())
    return QAbstractScrollArea::keyPressEvent(event);
  const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  const bool isEscape = event->key() == Qt::Key_Escape && m_highlighted >= 0;
  if (event->modifiers().testFlag(Qt::ControlModifier) || !(isEnter || isEscape)) {
    if (!moveFor(*event))
      QAbstractScrollArea::keyPressEvent(event);
    return;
  }
  m_hovered = isEscape ? -1 : m_keyPlace;
  Q_EMIT placePinned(m_hovered);
}

void RequestCanvas::mousePressEvent(QMouseEvent *event) {
  if (event->button() != Qt::LeftButton)
    return;
  const int place = placeAt(event->position());
  m_keyPlace = std::max(place, 0);
  m_hovered = place;
  Q_EMIT placePinned(place);
}

void RequestCanvas::mouseMoveEvent(QMouseEvent *event) { hover(placeAt(event->position())); }

void RequestCanvas::wheelEvent(QWheelEvent *event) {
  if (!event->modifiers().testFlag(Qt::ControlModifier))
    return QAbstractScrollArea::wheelEvent(event);
  zoomBy(std::pow(1.0015, event->angleDelta().y()));
  event->accept();
}

bool RequestCanvas::viewportEvent(QEvent *event) {
  if (event->type() == QEvent::Leave)
    hover(-1);
  return QAbstractScrollArea::viewportEvent(event);
}

void RequestCanvas::resizeEvent(QResizeEvent *event) {
  QAbstractScrollArea::resizeEvent(event);
  layOut();
}

void RequestCanvas::changeEvent(QEvent *event) {
  QAbstractScrollArea::changeEvent(event);
  if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
    layOut();
}

void RequestCanvas::focusInEvent(QFocusEvent *event) {
  QAbstractScrollArea::focusInEvent(event);
  viewport()->update();
}

void RequestCanvas::focusOutEvent(QFocusEvent *event) {
  QAbstractScrollArea::focusOutEvent(event);
  hover(-1);
  viewport()->update();
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
