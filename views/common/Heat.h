// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QColor>

namespace tilescope::views {

/// How warm a place is drawn, from 0 to 1 of the hottest one, in the theme in use. The scale goes
/// through lightness and one range of hues, from the background to a strong orange, so that it can be
/// read without seeing colors.
QColor warmColor(double warmth);

/// `62 %`, `4.1 %`, `<0.1 %`: a share from 0 to 1.
QString shareText(double share);

} // namespace tilescope::views
