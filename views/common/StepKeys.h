// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/access/picture/RequestGrid.h"

#include <optional>

class QKeyEvent;

namespace tilescope::views {

/// Where a key leads in a picture: arrows to a neighbor, Home and End within a row, with Ctrl within
/// the whole. Nothing: another key.
std::optional<compiler::access::Step> stepOf(const QKeyEvent &event);

} // namespace tilescope::views
