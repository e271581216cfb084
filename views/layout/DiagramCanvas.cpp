// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/layout/DiagramCanvas.h"

#include "views/common/Theme.h"
#include "views/layout/LabelSpace.h"

#include <QApplication>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace tilescope::views {

static constexpr double kPadPx = 10;
static constexpr double kMaxScale = 120;

DiagramCanvas::DiagramCanvas(QWidget *parent) : QWidget(parent) {
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setMinimumSize(120, 90);
}

void DiagramCanvas::setContent(DiagramContent content) {
  const bool sameGrid =
      content.grid.rows == m_content.grid.rows && content.grid.columns == m_content.grid.columns;
  const double titleGap = m_content.grid.titleGap;
  m_content = std::move(content);
  m_content.grid.titleGap = titleGap;
  const DiagramGrid &grid = m_content.grid;
  m_far = QImage(std::max(1, grid.columns), std::max(1, grid.rows), QImage::Format_RGB32);
  m_far.fill(theme()[ColorRole::Panel]);
  for (int row = 0; row < grid.rows; ++row) {
    auto *line = reinterpret_cast<QRgb *>(m_far.scanLine(row));
    for (int column = 0; column < grid.columns; ++column) {
      const auto cell = static_cast<size_t>(row) * grid.columns + column;
      if (cell < m_content.colors.size())
        line[column] = m_content.colors[cell];
    }
  }
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

void DiagramCanvas::setHighlighted(std::vector<int> cells) {
  if (cells == m_highlighted)
    return;
  m_highlighted = std::move(cells);
  update();
}

DiagramCanvas::View DiagramCanvas::fitting(const QRectF &area) const {
  View view;
  view.grid = m_content.grid;
  view.grid.titleGap = 0;
  view.visible = area;
  const QSizeF size = view.grid.size();
  if (size.isEmpty())
    return view;
  const LabelSpace labels;
  const int rowsOfBlocks = view.grid.blockRows > 0 ? view.grid.rows / view.grid.blockRows : 1;
  const double titles = view.grid.blockTitles.empty() ? 0 : (rowsOfBlocks - 1) * labels.height;
  const double width = area.width() - labels.left - kPadPx;
  const double height = area.height() - labels.top - kPadPx;
  view.scale =
      std::clamp(std::min(width / size.width(), (height - titles) / size.height()), 0.02, 44.0);
  if (titles > 0)
    view.grid.titleGap = std::max(0.0, labels.height / view.scale - view.grid.gap);
  const double spareX = std::max(0.0, width - size.width() * view.scale);
  const double spareY = std::max(0.0, height - view.grid.size().height() * view.scale);
  view.offset =
      area.topLeft() + QPointF(labels.left + spareX / 2, labels.top + std::min(spareY / 2, 24.0));
  return view;
}

void DiagramCanvas::fit() {
  const View view = fitting(rect());
  m_content.grid.titleGap = view.grid.titleGap;
  m_scale = view.scale;
  m_offset = view.offset;
  m_fitted = true;
  update();
}

void DiagramCanvas::zoomBy(double factor, QPointF around) {
  const double next = std::clamp(m_scale * factor, 0.02, kMaxScale);
  m_offset = around - (around - m_offset) * (next / m_scale);
  m_scale = next;
  m_fitted = false;
  update();
}

int DiagramCanvas::cellAt(QPointF point) const {
  return m_content.grid.cellAt((point - m_offset) / m_scale);
}

void DiagramCanvas::changeEvent(QEvent *event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange && m_fitted)
    fit();
}

void DiagramCanvas::resizeEvent(QResizeEvent *event) {
  QWidget::resizeEvent(event);
  if (m_fitted)
    fit();
}

void DiagramCanvas::hover(int cell) {
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
  const int cell = cellAt(event->position());
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

void DiagramCanvas::paintEvent(QPaintEvent *) {
  QPainter painter(this);
  painter.fillRect(rect(), theme()[ColorRole::Panel]);
  draw(painter, {m_content.grid, m_scale, m_offset, rect()});
  if (hasFocus())
    drawFocus(painter);
}

void DiagramCanvas::render(QPainter &painter, const QRectF &target) const {
  painter.fillRect(target, theme()[ColorRole::Panel]);
  draw(painter, fitting(target));
}

} // namespace tilescope::views
