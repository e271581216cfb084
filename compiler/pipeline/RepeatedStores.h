// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Elements that several programs of a launch store, all with the same value:
//
//     o = tl.program_id(0) * 128 + tl.arange(0, 1024)       8 programs store each element
//     tl.store(y_ptr + o, x * 2, mask=o < n)
//
// The result is right, and most of the work is done for nothing; or the kernel means it, as where each program writes all
// of a small result. A last block that is moved back so that it ends with the data stores some elements again, and is
// never told. Only addresses are computed, and for most kernels not even those: the programs have too few blocks for it.
#pragma once

#include "compiler/artifacts/Diagnostic.h"
#include "compiler/artifacts/Interpretation.h"
#include "compiler/interpreter/Interpreter.h"
#include "compiler/pipeline/FileTable.h"

#include <chrono>
#include <stop_token>
#include <vector>

namespace tilescope::compiler {

struct RepeatInput {
  /// As it was run, without a race.
  const InterpreterLaunch &launch;
  /// What the run left unwritten, as far as that is known.
  const std::vector<UnwrittenElements> &unwritten;
  unsigned numThreads = 0;
  /// Where it takes longer, nothing is said.
  std::chrono::nanoseconds limit{};
  std::stop_token stop;
};

/// A note for each argument that the kernel in TTIR only stores to, by blocks, and of whose stored elements at least half
/// are stored by two or more programs. Of kernels with atomic operations, which may order programs, nothing is said.
std::vector<Diagnostic> repeatedStores(mlir::ModuleOp ttir, const RepeatInput &input,
                                       FileTable &files);

} // namespace tilescope::compiler
