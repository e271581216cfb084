// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// From what a request leaves open to a selection that compiles. Guesses come from the syntax tree
// and, for a function that kernels call, from what they pass to it:
//
//   def row_sum(x, mask):                         x: fp32[64], mask: i1[64], because
//       return tl.sum(tl.where(mask, x, 0.0))
//                                                 compiling `kernel` for its own guesses
//   def kernel(p, n, B: tl.constexpr):            calls it so
//       i = tl.arange(0, B)
//       tl.store(p, row_sum(tl.load(p + i), i < n))
//
// Where they turn out wrong they are repaired.
#pragma once

#include "compiler/frontend/SelectedEmission.h"
#include "compiler/syntax/ModuleIndex.h"

namespace tilescope::compiler::frontend {

/// Emits `function` for the request's selection, completed by guesses. When it is wrong for all
/// that are tried, the first ones tell how, unless what is left to say holds for every guess.
/// `isBroken`: the document has syntax errors, and looking for better guesses is no use.
EmittedModule emitByGuesses(const Emission &emission, const ast::ModuleIndex &index,
                            const ast::JitFunction &function, bool isBroken);

} // namespace tilescope::compiler::frontend
