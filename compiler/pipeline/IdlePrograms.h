// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Programs of a launch whose masks leave out every element of all that they access:
//
//     i = tl.program_id(0) * 256 + tl.arange(0, 256)         grid = ["n"], n = 1000
//     tl.store(y_ptr + i, x, mask=i < n)                     996 of the 1000 programs access nothing
//
// The result is right, and most programs are launched for nothing; or the kernel means it. Only addresses are computed,
// and not even those where the grid's blocks are no more than twice what is stored.
#pragma once

#include "compiler/artifacts/Diagnostic.h"
#include "compiler/interpreter/Interpreter.h"

#include <chrono>
#include <optional>
#include <stop_token>

namespace tilescope::compiler {

struct IdleInput {
  /// As it was run.
  const InterpreterLaunch &launch;
  unsigned numThreads = 0;
  /// Where it takes longer, nothing is said.
  std::chrono::nanoseconds limit{};
  std::stop_token stop;
};

/// A note without a place, where at least half of the programs, and more than a few, come to accesses and leave out all of
/// their elements. A program that comes to none has been left out on purpose.
std::optional<Diagnostic> idlePrograms(mlir::ModuleOp ttir, const IdleInput &input);

} // namespace tilescope::compiler
