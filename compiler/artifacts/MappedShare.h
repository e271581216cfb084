// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <functional>
#include <string_view>

namespace tilescope::compiler {

/// The share of a stage's lines, from 0 to 1, for which `isMapped` holds; lines that are empty or
/// hold braces alone are none of them.
double mappedShare(std::string_view text, const std::function<bool(size_t line)> &isMapped);

} // namespace tilescope::compiler
