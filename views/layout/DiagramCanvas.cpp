// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/layout/DiagramCanvas.h"

#include "views/common/Theme.h"

#include <QApplication>
#include <QMouseEvent>
#include <QPaintEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace tilescope::views {

static constexpr double kPadPx = 10;
static constexpr double kMaxScale = 120;
/// Of labels: what is left of a grid that has little room.
static constexpr int kLeastLines = 3;
static constexpr int kLeastColumns = 8;
/// How far the outline of a cell reaches beyond it, at most.
static constexpr double kOutlinePx = 8;

DiagramCanvas::DiagramCanvas(QWidget *parent) : QWidget(parent) {
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setProperty(kZoomsByWheel, true);
}

static QColor readableOn(const QColor &fill) {
  return contrastRatio(fill, Qt::white) > contrastRatio(fill, Qt::black) ? Qt::white : Qt::black;
}

void DiagramCanvas::setContent(DiagramContent content) {
  const bool sameGrid =
      content.grid.rows == m_content.grid.rows && content.grid.columns == m_content.grid.columns;
  const double titleGap = m_content.grid.titleGap;
  m_content = std::move(content);
  m_content.grid.titleGap = titleGap;
  m_inks.clear();
  for (uint32_t color : m_content.palette.colors)
    m_inks.push_back(readableOn(QColor(color)));
  measureLabels();
  updateGeometry();
  m_highlighted.clear();
  if (!sameGrid)
    m_keyCell = 0;
  if (!sameGrid || m_fitted)
    fit();
  update();
}

void DiagramCanvas::setEmptyText(const QString &text) {
  m_emptyText = text;
  update();
}

void DiagramCanvas::setHighlighted(std::vector<int64_t> cells) {
  if (cells == m_highlighted)
    return;
  updateHighlights();
  m_highlighted = std::move(cells);
  updateHighlights();
}

void DiagramCanvas::updateHighlights() {
  // Of many the surroundings are all that there is.
  QRectF area;
  for (int64_t cell : m_highlighted) {
    const QRectF outlined =
        cellRect(cell).adjusted(-kOutlinePx, -kOutlinePx, kOutlinePx, kOutlinePx);
    area = area.united(outlined);
  }
  update(area.toAlignedRect());
}

LabelSpace DiagramCanvas::labelSpace() const {
  return LabelSpace(m_content.rowLabel && m_content.grid.rows > 0
                        ? m_content.rowLabel(m_content.grid.rows - 1)
                        : QString());
}

DiagramCanvas::View DiagramCanvas::fitting(const QRectF &area) const {
  View view;
  view.grid = m_content.grid;
  view.grid.titleGap = 0;
  view.visible = view.exposed = area;
  const QSizeF size(view.grid.width(), view.grid.height());
  if (size.isEmpty())
    return view;
  const LabelSpace labels = labelSpace();
  const auto numGaps = static_cast<double>(view.grid.numBlocksDown() - 1);
  const double width = area.width() - labels.left - kPadPx;
  const double height = area.height() - labels.top - kPadPx;
  const bool isLow = height < kLeastLines * labels.height + numGaps * labels.titleHeight();
  const double title = isLow ? labels.height : labels.titleHeight();
  const double titles = view.grid.hasTitles ? numGaps * title : 0;
  view.scale =
      std::clamp(std::min(width / size.width(), (height - titles) / size.height()), 0.02, 44.0);
  if (titles > 0)
    view.grid.titleGap = std::max(0.0, title / view.scale - view.grid.gap);
  const double spareX = std::max(0.0, width - size.width() * view.scale);
  const double spareY = std::max(0.0, height - view.grid.height() * view.scale);
  view.offset =
      area.topLeft() + QPointF(labels.left + spareX / 2, labels.top + std::min(spareY / 2, 24.0));
  return view;
}

double DiagramCanvas::heightFor(double width, double most) const {
  const View view = fitting(QRectF(0, 0, width, most));
  return std::min(most, labelSpace().top + view.grid.height() * view.scale + 2 * kPadPx);
}

QSize DiagramCanvas::minimumSizeHint() const {
  const LabelSpace labels = labelSpace();
  const compiler::PictureGrid &grid = m_content.grid;
  const auto numTitles = grid.hasTitles ? static_cast<double>(grid.numBlocksDown() - 1) : 0.0;
  return QSizeF(labels.left + kLeastColumns * labels.height + kPadPx,
                labels.top + (kLeastLines + numTitles) * labels.height + kPadPx)
      .toSize();
}

void DiagramCanvas::fit() {
  const View view = fitting(rect());
  m_content.grid.titleGap = view.grid.titleGap;
  m_scale = view.scale;
  m_offset = view.offset;
  m_fitted = true;
  update();
  Q_EMIT viewMoved();
}

void DiagramCanvas::zoomBy(double factor, QPointF around) {
  const double next = std::clamp(m_scale * factor, 0.02, kMaxScale);
  m_offset = around - (around - m_offset) * (next / m_scale);
  m_scale = next;
  m_fitted = false;
  update();
  Q_EMIT viewMoved();
}

int64_t DiagramCanvas::cellAt(QPointF point) const {
  const QPointF at = (point - m_offset) / m_scale;
  return m_content.grid.cellAt({at.x(), at.y()});
}

QRectF DiagramCanvas::cellRect(int64_t cell) const {
  return current().rect(m_content.grid.cell(cell));
}

QRectF DiagramCanvas::cellRectIn(const QRectF &target, int64_t cell) const {
  return fitting(target).rect(m_content.grid.cell(cell));
}

void DiagramCanvas::changeEvent(QEvent *event) {
  QWidget::changeEvent(event);
  if (event->type() != QEvent::FontChange)
    return;
  measureLabels();
  updateGeometry();
  if (m_fitted)
    fit();
}

void DiagramCanvas::resizeEvent(QResizeEvent *event) {
  QWidget::resizeEvent(event);
  if (m_fitted)
    fit();
}

void DiagramCanvas::hover(int64_t cell) {
  if (cell == m_hovered)
    return;
  m_hovered = cell;
  Q_EMIT cellHovered(cell);
}

void DiagramCanvas::mouseMoveEvent(QMouseEvent *event) {
  if (m_dragging) {
    m_offset += event->position() - m_dragFrom;
    m_dragFrom = event->position();
    m_fitted = false;
    update();
    Q_EMIT viewMoved();
    return;
  }
  hover(cellAt(event->position()));
}

void DiagramCanvas::mousePressEvent(QMouseEvent *event) {
  m_dragging = true;
  m_dragFrom = m_pressed = event->position();
}

void DiagramCanvas::mouseReleaseEvent(QMouseEvent *event) {
  m_dragging = false;
  const double moved = (event->position() - m_pressed).manhattanLength();
  if (event->button() != Qt::LeftButton || moved >= QApplication::startDragDistance())
    return;
  const int64_t cell = cellAt(event->position());
  if (cell >= 0)
    m_keyCell = cell;
  m_hovered = cell;
  Q_EMIT cellPinned(cell);
}
void DiagramCanvas::mouseDoubleClickEvent(QMouseEvent *) { fit(); }

void DiagramCanvas::wheelEvent(QWheelEvent *event) {
  zoomBy(std::pow(1.0015, event->angleDelta().y()), event->position());
  event->accept();
}

void DiagramCanvas::leaveEvent(QEvent *event) {
  QWidget::leaveEvent(event);
  hover(-1);
}

void DiagramCanvas::paintEvent(QPaintEvent *event) {
  m_slices.paintAtOnce(event->region(), [this](const QRect &part) {
    QPainter painter(this);
    painter.setClipRect(part);
    painter.fillRect(part, theme()[ColorRole::Panel]);
    View view = current();
    view.exposed = part;
    draw(painter, view);
    if (hasFocus())
      drawFocus(painter);
  });
}

void DiagramCanvas::render(QPainter &painter, const QRectF &target) const {
  painter.fillRect(target, theme()[ColorRole::Panel]);
  draw(painter, fitting(target));
}

} // namespace tilescope::views
