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

/// The same of a function of Python; a fix writes that of the language, where it has one.
void warnUnportableFunction(Emitter &emitter, const std::string &name);

/// Whether kernels know Python's builtin of that name.
bool isPortableBuiltin(std::string_view name);

} // namespace tilescope::compiler::frontend
