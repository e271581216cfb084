// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/layout/picture/ConversionPicture.h"

#include <QString>

namespace tilescope::views {

/// What a selection of ways says: of an element where it was and where it is, of a lane how much it
/// gets or gives, and from how many lanes and warps.
QString movesText(const compiler::ConversionPicture &picture,
                  const std::vector<compiler::Move> &moves, compiler::ConversionSide side,
                  compiler::MoveScope scope);

} // namespace tilescope::views
