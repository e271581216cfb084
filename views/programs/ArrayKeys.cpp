// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// The keys of an ArrayCanvas: the arrows, Home and End move over the elements (with Ctrl ten times
// as far, and to the corners), Enter goes to the access, A to the next array; P, X, Y, Z, T, S and
// W show another program, iteration, slice and wave, with Shift the one before; O changes what is
// drawn over the arrays, Space plays; plus, minus and 0 zoom, E enlarges an array, Escape ends that.
#include "views/programs/ArrayCanvas.h"

#include <QKeyEvent>

#include <algorithm>
#include <cmath>

namespace tilescope::views {

namespace access = compiler::access;

/// Pixels that an arrow key moves, at least an element.
static constexpr double kStepPx = 4;

bool ArrayCanvas::moveFor(const QKeyEvent &event) {
  if (!m_content.arrays || m_windows.empty())
    return false;
  const access::ArrayShape &shape = m_content.arrays->shape(m_current.array);
  const access::ArrayGrid &grid = m_grids[m_current.array];
  const bool isFar = event.modifiers().testFlag(Qt::ControlModifier);
  const auto stepOf = [&](double pixels) {
    const auto elements = static_cast<int64_t>(std::max(1.0, std::floor(kStepPx / pixels)));
    return isFar ? elements * 10 : elements;
  };
  access::ArrayElement to = m_current.element;
  switch (event.key()) {
  case Qt::Key_Left:
    to.column -= stepOf(grid.columnWidth());
    break;
  case Qt::Key_Right:
    to.column += stepOf(grid.columnWidth());
    break;
  case Qt::Key_Up:
    to.row -= stepOf(grid.rowHeight());
    break;
  case Qt::Key_Down:
    to.row += stepOf(grid.rowHeight());
    break;
  case Qt::Key_Home:
    to = {to.slice, isFar ? 0 : to.row, 0};
    break;
  case Qt::Key_End:
    to = {to.slice, isFar ? shape.rows - 1 : to.row, shape.columns - 1};
    break;
  default:
    return false;
  }
  to.row = std::clamp<int64_t>(to.row, 0, shape.rows - 1);
  to.column = std::clamp<int64_t>(to.column, 0, shape.columns - 1);
  // The first key only shows where the keys are.
  goTo({m_current.array, m_hovered ? to : m_current.element});
  return true;
}

bool ArrayCanvas::scrubFor(const QKeyEvent &event) {
  static constexpr std::pair<Qt::Key, Scrub> kKeys[] = {
      {Qt::Key_P, Scrub::Program},  {Qt::Key_X, Scrub::X},     {Qt::Key_Y, Scrub::Y},
      {Qt::Key_Z, Scrub::Z},        {Qt::Key_S, Scrub::Slice}, {Qt::Key_W, Scrub::Wave},
      {Qt::Key_T, Scrub::Iteration}};
  if (event.modifiers() & ~Qt::ShiftModifier)
    return false;
  const int by = event.modifiers().testFlag(Qt::ShiftModifier) ? -1 : 1;
  for (const auto &[key, scrub] : kKeys)
    if (event.key() == key) {
      Q_EMIT scrubRequested(scrub, by);
      return true;
    }
  if (event.key() == Qt::Key_A)
    nextArray(by);
  else if (event.key() == Qt::Key_O)
    Q_EMIT overlayRequested();
  else if (event.key() == Qt::Key_Space)
    Q_EMIT playRequested();
  else
    return false;
  return true;
}

void ArrayCanvas::nextArray(int by) {
  const auto count = static_cast<int>(m_windows.size());
  if (count == 0)
    return;
  const int next = (static_cast<int>(m_current.array) + by + count) % count;
  setCurrent(static_cast<size_t>(next));
  hover(m_current);
}

bool ArrayCanvas::viewFor(const QKeyEvent &event) {
  constexpr double kStep = 1.5;
  if (m_windows.empty() || event.modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier))
    return false;
  const access::ArrayElement &at = m_current.element;
  const compiler::GridPoint about{static_cast<double>(at.column) + 0.5,
                                  static_cast<double>(at.row) + 0.5};
  switch (event.key()) {
  case Qt::Key_Plus:
  case Qt::Key_Equal:
    zoomBy(m_current.array, kStep, about);
    return true;
  case Qt::Key_Minus:
    zoomBy(m_current.array, 1 / kStep, about);
    return true;
  case Qt::Key_0:
    zoomBy(m_current.array, 0, about);
    return true;
  case Qt::Key_E:
    enlarge(!m_enlarged);
    return true;
  case Qt::Key_Return:
  case Qt::Key_Enter:
    Q_EMIT placeChosen(m_current);
    return true;
  case Qt::Key_Escape:
    if (!m_enlarged && !m_hovered)
      return false;
    hover(std::nullopt);
    enlarge(false);
    return true;
  default:
    return false;
  }
}

void ArrayCanvas::keyPressEvent(QKeyEvent *event) {
  const bool isOurs = !(event->modifiers() & (Qt::AltModifier | Qt::MetaModifier));
  if (!isOurs || !(scrubFor(*event) || viewFor(*event) || moveFor(*event)))
    QWidget::keyPressEvent(event);
}

} // namespace tilescope::views
