// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QSize>

namespace tilescope::views {

class ElidedLabel;

/// Whether a view has so little height that its fields and words have one row each.
bool isLowView(const QSize &view);

/// The lines of a label below a picture, from the size of the view that it is in: always as many, so
/// that the picture does not jump while the words change.
void giveInfoLines(ElidedLabel &label, const QSize &view);

} // namespace tilescope::views
