// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/frontend/Emitter.h"

#include <string>
#include <string_view>

namespace tilescope::compiler::frontend {

/// Warns that a kernel uses, at the current place, what compiles here but not in Triton. Code that
/// runs while compiling is plain Python there too, and may do anything.
/// `advice`: what does; empty: nothing does.
void warnUnportable(Emitter &emitter, const std::string &what, const std::string &advice = {});

/// The same of a function of Python; a fix writes that of the language, where it has one.
void warnUnportableFunction(Emitter &emitter, const std::string &name);

/// What a kernel writes for `float32(value)`: a number as it is, else `tl.cast(value, tl.float32)`.
std::string castCall(std::string_view value, std::string_view type);

/// The same of a call of a type, `float32(x)`.
void warnCalledType(Emitter &emitter, const std::string &type, const CallArgument &argument,
                    const SourceRange &call);

/// Fails at the first argument that is known at run time only: a function of Python runs while the
/// kernel is compiled. What the call was warned of is a part of that error.
void checkCompileTime(Emitter &emitter, std::string_view name,
                      const std::vector<CallArgument> &arguments, const SourceRange &call);

/// Whether kernels know Python's builtin of that name.
bool isPortableBuiltin(std::string_view name);

} // namespace tilescope::compiler::frontend
