// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What kernels write for a mean, which the language has no function for. What a mask leaves out of a
// block is zero at best, and does not count:
//
//     v = tl.load(x + i, mask=i < n, other=0.0)
//     v.mean()                       tl.sum(v) / tl.sum((i < n).to(tl.int32))
#pragma once

#include "compiler/artifacts/Diagnostic.h"
#include "compiler/frontend/Emitter.h"

#include <string>

namespace tilescope::compiler::frontend {

/// `np.mean(v, axis=0)`, `v.mean()`.
struct MeanCall {
  /// Null: the mean is not called.
  const ast::Call *call = nullptr;
  /// What the mean is taken of; null: it is not known.
  const ast::Expr *operand = nullptr;
  /// The same as code, or a name for it.
  std::string code;
  /// The operand stands before the dot.
  bool isMethod = false;
};

/// Adds how it is computed, with its axis, and a fix where the source shows how many elements count.
void explainMean(Diagnostic &diagnostic, const Frame &frame, const MeanCall &mean);

} // namespace tilescope::compiler::frontend
