// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// How many additions the terms of a kernel's sums pass, one after the other. A reduction is a tree: a
// thread adds up what its registers hold, then pairs of lanes and warps are added up:
//
//     tl.sum of 2048 elements, 128 threads     16 registers, then 7 levels
//     for i in range(64): acc += x             64, one after the other
//
// The error grows with that, not with the number of terms (Higham, The accuracy of floating point
// summation, 1993).
#pragma once

#include "compiler/artifacts/RoundingFacts.h"
#include "compiler/dialects/tt/ir/Dialect.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace tilescope::compiler {

/// What is known of how a kernel is laid out before it is.
struct SumThreads {
  double numWarps = 4;
  /// Elements of the largest block.
  double largestBlock = 1;
};

/// The numbers that a launch has for a kernel, of which its loops may run.
struct LaunchNumbers {
  /// Of the kernel's arguments, in their order; nothing: it is no integer, or not known. May be empty.
  std::vector<std::optional<int64_t>> arguments;
  /// Programs along each axis; 0: not known.
  std::array<int64_t, 3> grid = {0, 0, 0};
};

SumThreads sumThreads(tt::FuncOp kernel, int numWarps);

/// Of a reduction or scan, as deep as a layout may make it. `op`: its `tt.reduce` or `tt.scan`.
SumSteps stepsOfReduction(mlir::Operation *op, const SumThreads &threads);

/// Of an addition in a loop to what the loop carries; nothing: it adds to something else. A depth of 0:
/// how often the loop runs is not known here. Programs may run it differently often: the most counts.
std::optional<SumSteps> stepsOfAddition(mlir::Operation *op, const LaunchNumbers &launch);

} // namespace tilescope::compiler
