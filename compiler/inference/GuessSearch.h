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

#include "compiler/inference/GuessMemory.h"
#include "compiler/inference/SignatureInference.h"
#include "compiler/inference/TrialFile.h"

#include <functional>
#include <optional>

namespace tilescope::compiler::inference {

/// The function that guesses are made for.
struct GuessTask {
  TrialFile &file;
  const ast::ModuleIndex &index;
  const ast::JitFunction &function;
  /// What the request says about it, which is kept.
  Selection given;
  /// Null when nothing is remembered.
  GuessMemory *memory = nullptr;
};

/// Compiles for good, with all diagnostics. Returns what is wrong.
using FullEmission = std::function<std::optional<Objection>(const InferredSelection &)>;

/// Calls `emit` for `task.given`, completed by guesses; what it makes when it is called last is the
/// result. When the function is wrong for all guesses that are tried, the first ones show how,
/// unless what is left to say holds for every guess. `isBroken`: the document has syntax errors, so
/// that looking for better guesses is pointless.
void emitByGuesses(const GuessTask &task, bool isBroken, const FullEmission &emit);

} // namespace tilescope::compiler::inference
