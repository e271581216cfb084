// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Numbers for parameters that are not annotated `tl.constexpr`. A launch passes them at run time,
// whatever a launch block calls them:
//
//     def kernel(x_ptr, BLOCK):          # `BLOCK` must be annotated with `tl.constexpr`
//         offsets = tl.arange(0, BLOCK)  # since a constexpr is needed here
#pragma once

#include "compiler/frontend/SelectedEmission.h"

namespace tilescope::compiler::frontend {

/// Adds an error to `result` for each parameter of a kernel that `selection` makes a constexpr
/// without an annotation, and that must be one: as a run-time value it does not compile. Values
/// that launches make constexprs themselves pass: 1, `None`, dtypes, functions.
void reportUndeclaredConstexprs(const Emission &emission, ScopedFunction kernel,
                                const Selection &selection, EmittedModule &result);

} // namespace tilescope::compiler::frontend
