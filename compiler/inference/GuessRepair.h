// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Better guesses, found by trying: the first error shows where the kernel does not fit what was
// guessed, the data flow shows which parameters that place depends on, and other guesses for these
// are tried until one moves the error down or removes it.
//
//   bits = tl.load(x_ptr + i) >> 4       `>>` is not supported for `fp32`
//   tl.store(y_ptr + i, bits & 15)
//
//   x_ptr: *fp32:16 -> *i32:16           compiles; `y_ptr` is not looked at
//
// The trials and their order depend only on the source, so equal requests have equal guesses. How
// much is tried is bounded: see `SearchBudget`.
#pragma once

#include "compiler/inference/Objection.h"
#include "compiler/inference/SearchBudget.h"
#include "compiler/inference/SignatureInference.h"

#include <functional>
#include <optional>

namespace tilescope::compiler::inference {

/// Compiles for a selection. Nothing when all is well.
using Trial = std::function<std::optional<Objection>(const Selection &)>;

struct Repair {
  InferredSelection inferred;
  std::optional<Objection> objection;
};

/// Whether other guesses may remove an error; an undefined name stays undefined.
bool isGuessable(const ast::ModuleIndex &index, const Diagnostic &error);

/// Whether guesses give rows and columns of blocks the same number of elements that had different ones: what lacks an
/// axis would fit then. `error`: what they are changed for.
bool makesSquare(const ast::JitFunction &kernel, const Diagnostic &error, const Selection &before,
                 const Selection &after);

/// Changes the guesses in `start`, which `objection` is about, by means of `tryOut`, which spends
/// `budget`; what `given` says stays. Returns the best that was found, which may be `start`.
Repair repairGuesses(const ast::ModuleIndex &index, const ast::JitFunction &kernel,
                     const Selection &given, InferredSelection start, Objection objection,
                     const SearchBudget &budget, const Trial &tryOut);

} // namespace tilescope::compiler::inference
