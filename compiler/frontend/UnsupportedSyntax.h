// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Python that kernels do not have: what it is called, and what to write in its place.
#pragma once

#include "compiler/artifacts/Diagnostic.h"
#include "compiler/frontend/Emitter.h"

namespace tilescope::compiler::frontend {

/// A statement or an expression that is no part of a kernel.
[[noreturn]] void failSyntax(Emitter &emitter, const ast::Node &node);

/// `a < b < c`, and `a < b & c < d`, which Python reads as `a < (b & c) < d`.
[[noreturn]] void failComparison(Emitter &emitter, const ast::Compare &expr);

} // namespace tilescope::compiler::frontend
