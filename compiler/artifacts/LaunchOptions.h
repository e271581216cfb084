// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <span>
#include <string_view>

namespace tilescope::compiler {

/// Names of the options of launches: of Triton's versions and back-ends, and what compiled code
/// states. Sorted.
std::span<const std::string_view> launchOptions();
bool isLaunchOption(std::string_view name);

} // namespace tilescope::compiler
