// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// The keys of a DiagramCanvas.
#include "views/layout/DiagramCanvas.h"

#include <QKeyEvent>

#include <algorithm>

namespace tilescope::views {

static constexpr double kZoomStep = 1.25;

std::optional<int64_t> DiagramCanvas::cellFor(const QKeyEvent &event) const {
  const compiler::PictureGrid &grid = m_content.grid;
  auto [row, column] = grid.cell(m_keyCell);
  const bool isWhole = event.modifiers().testFlag(Qt::ControlModifier);
  switch (event.key()) {
  case Qt::Key_Left:
    --column;
    break;
  case Qt::Key_Right:
    ++column;
    break;
  case Qt::Key_Up:
    --row;
    break;
  case Qt::Key_Down:
    ++row;
    break;
  case Qt::Key_Home:
    column = 0;
    row = isWhole ? 0 : row;
    break;
  case Qt::Key_End:
    column = grid.columns - 1;
    row = isWhole ? grid.rows - 1 : row;
    break;
  default:
    return std::nullopt;
  }
  const compiler::Cell cell{std::clamp<int64_t>(row, 0, grid.rows - 1),
                            std::clamp<int64_t>(column, 0, grid.columns - 1)};
  return std::min(grid.number(cell), grid.numCells - 1);
}

bool DiagramCanvas::zoomFor(const QKeyEvent &event) {
  const QPointF around = cellRect(m_keyCell).center();
  switch (event.key()) {
  case Qt::Key_Plus:
  case Qt::Key_Equal:
    zoomBy(kZoomStep, around);
    return true;
  case Qt::Key_Minus:
    zoomBy(1 / kZoomStep, around);
    return true;
  case Qt::Key_0:
    fit();
    return true;
  default:
    return false;
  }
}

void DiagramCanvas::showCell(int64_t cell) {
  const QRectF shown = cellRect(cell);
  QPointF move;
  if (shown.left() < 0 || shown.right() > width())
    move.setX(width() / 2.0 - shown.center().x());
  if (shown.top() < 0 || shown.bottom() > height())
    move.setY(height() / 2.0 - shown.center().y());
  if (move.isNull())
    return;
  m_offset += move;
  m_fitted = false;
  update();
  Q_EMIT viewMoved();
}

void DiagramCanvas::keyPressEvent(QKeyEvent *event) {
  // What is with other modifiers belongs to the window: Ctrl+plus enlarges all text.
  const bool isOurs = !(event->modifiers() & (Qt::AltModifier | Qt::MetaModifier));
  if (m_content.grid.numCells == 0 || !isOurs)
    return QWidget::keyPressEvent(event);
  if (const std::optional<int64_t> cell = cellFor(*event)) {
    m_keyCell = *cell;
    showCell(m_keyCell);
    return hover(m_keyCell);
  }
  const bool isPlain = !event->modifiers().testFlag(Qt::ControlModifier);
  const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  const bool isEscape = event->key() == Qt::Key_Escape && !m_highlighted.empty();
  if (isPlain && (isEnter || isEscape)) {
    m_hovered = isEscape ? -1 : m_keyCell;
    Q_EMIT cellPinned(m_hovered);
  } else if (!isPlain || !zoomFor(*event)) {
    QWidget::keyPressEvent(event);
  }
}

void DiagramCanvas::focusInEvent(QFocusEvent *event) {
  QWidget::focusInEvent(event);
  update();
}

void DiagramCanvas::focusOutEvent(QFocusEvent *event) {
  QWidget::focusOutEvent(event);
  hover(-1);
  update();
}

} // namespace tilescope::views
