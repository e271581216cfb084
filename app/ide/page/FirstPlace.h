// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/SourceRange.h"

#include <optional>
#include <string_view>

namespace tilescope::app {

/// Where a file is shown that nobody has left a place in.
struct FirstPlace {
  /// The name of the kernel.
  Position kernel;
  /// The first line in sight: the kernel begins in the upper third.
  uint32_t firstLine = 0;
};

/// At the kernel that the first launch block names, or else at the first one. Nothing where that is
/// in sight from the first line on, or where there is none.
std::optional<FirstPlace> firstPlace(std::string_view text);

} // namespace tilescope::app
