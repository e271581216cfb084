// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// A kernel compiles for one of its configurations. Triton tries the others at the first launch, and
// stops with an error at one that cannot be compiled.
#pragma once

#include "compiler/pipeline/Compiler.h"

#include <stop_token>
#include <vector>

namespace tilescope::app {

/// A warning for each other configuration of `result` that the frontend refuses, at its `Config(...)`.
/// What only the rest of the way could refuse is not tried: Triton passes over a configuration that
/// needs more than the GPU has. It ends when `stop` asks for it, and in a fraction of a second.
/// `request`: complete, compiled without an error to `result`.
std::vector<compiler::Diagnostic> configurationFailures(compiler::Compiler &compiler,
                                                        const compiler::CompileRequest &request,
                                                        const compiler::CompileResult &result,
                                                        std::stop_token stop);

} // namespace tilescope::app
