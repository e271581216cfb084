// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <string>

namespace tilescope::compiler {

/// The version of LLVM that this program runs with, e.g. `22.1.8`.
std::string llvmVersion();

} // namespace tilescope::compiler
