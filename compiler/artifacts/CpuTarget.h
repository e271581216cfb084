// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <string_view>

namespace tilescope::compiler {

/// The target that stands for the processor of this machine: kernels run as its own code.
inline constexpr std::string_view kNativeTarget = "cpu:native";

} // namespace tilescope::compiler
