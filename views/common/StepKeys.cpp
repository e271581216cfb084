// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/common/StepKeys.h"

#include <QKeyEvent>

namespace tilescope::views {

std::optional<compiler::access::Step> stepOf(const QKeyEvent &event) {
  using compiler::access::Step;
  const bool isWhole = event.modifiers().testFlag(Qt::ControlModifier);
  switch (event.key()) {
  case Qt::Key_Left:
    return Step::Left;
  case Qt::Key_Right:
    return Step::Right;
  case Qt::Key_Up:
    return Step::Up;
  case Qt::Key_Down:
    return Step::Down;
  case Qt::Key_Home:
    return isWhole ? Step::First : Step::RowStart;
  case Qt::Key_End:
    return isWhole ? Step::Last : Step::RowEnd;
  default:
    return std::nullopt;
  }
}

} // namespace tilescope::views
