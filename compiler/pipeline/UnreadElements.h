// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Elements of an input that no program of a launch reads:
//
//     cols = tl.arange(0, BN)                                BN = 64, N = 80
//     x = tl.load(x_ptr + rows[:, None] * N + cols[None, :], mask=cols[None, :] < N)
//
//     no program reads `x_ptr[:, 64:80]`, the last 16 of its 80 columns: 512 of 2560 elements
//
// A result is then wrong, and nothing else says so; or the kernel means it. Only addresses are computed, as where accesses
// are counted, so that it takes little beside the run.
#pragma once

#include "compiler/artifacts/Diagnostic.h"
#include "compiler/interpreter/Interpreter.h"
#include "compiler/pipeline/FileTable.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

namespace tilescope::compiler {

struct UnreadInput {
  /// As it was run: of the arguments, only memory that the kernel does not change is read.
  const InterpreterLaunch &launch;
  /// The values of the kernel's integer constants of compile time, by name.
  const std::map<std::string, int64_t> &constexprs;
  /// Values that the launch names as sizes of its data.
  std::set<int64_t> sizes;
  unsigned numThreads = 0;
  /// Where it takes longer, nothing is said.
  std::chrono::nanoseconds limit{};
  std::stop_token stop;
};

/// A note for each argument with data that the kernel in TTIR reads in part, at its first load. Of arguments that are
/// read where other data say so, and where addresses cannot be had alone, nothing is said.
std::vector<Diagnostic> unreadElements(mlir::ModuleOp ttir, const UnreadInput &input,
                                       FileTable &files);

} // namespace tilescope::compiler
