// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/SourceRange.h"

#include <string_view>
#include <vector>

namespace tilescope::views {

/// Where the launch blocks of a kernel name one of its parameters, or the kernel itself: as a key,
/// and in expressions. In the order of the text.
std::vector<SourceRange> launchBlockUses(std::string_view text, std::string_view kernel,
                                         std::string_view name);

} // namespace tilescope::views
