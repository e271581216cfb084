// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QRect>

class QWidget;

namespace tilescope::views {

enum class PopupSide { Below, Above };

/// Where a popup of a size goes beside `anchor`: on the wanted side if there is room, else on the
/// other one, else on the wanted side as far as the screen allows; never outside of the screen. All
/// in global coordinates.
QRect placeBeside(QSize size, const QRect &anchor, const QRect &screen, PopupSide side);

/// The part of the screen around `anchor` that windows may use.
QRect screenAround(const QRect &anchor, const QWidget &widget);

/// Makes a widget a separate window, which stands above its parent's window and takes neither
/// keyboard nor activation.
void makePopup(QWidget &widget);

} // namespace tilescope::views
