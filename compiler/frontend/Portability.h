// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/frontend/Emitter.h"

#include <string>
#include <string_view>

namespace tilescope::compiler::frontend {

/// Warns that a kernel uses, at the current place, what compiles here but not in Triton. Code that
/// runs while compiling is plain Python there too, and may do anything.
void warnUnportable(Emitter &emitter, const std::string &what);

/// Whether kernels know Python's builtin of that name.
bool isPortableBuiltin(std::string_view name);

} // namespace tilescope::compiler::frontend
