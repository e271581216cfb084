// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Which elements of its arguments each program of a launch touches, and in which order.
//
// Example: program 3 of a matrix product loads tiles of 128 x 64 half-precision elements of a matrix
// with 4096 columns, 64 columns further on in each of 64 iterations. That is one run:
//
//     program 3, steps 0 to 63, address of row 384, stepBytes 128, dims {{128, 8192}, {64, 2}}
#pragma once

#include "compiler/artifacts/AccessRecord.h"
#include "compiler/support/SourceRange.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace tilescope::compiler {

/// So many elements, so many bytes apart.
struct TouchDim {
  int64_t extent = 1;
  int64_t strideBytes = 0;
  bool operator==(const TouchDim &) const = default;
};

/// What one program accesses by one operation in steps that follow each other, each time
/// `stepBytes` further on.
struct TouchRun {
  /// In the order of the grid, the first dimension fastest.
  uint32_t program = 0;
  /// Among the trace's accesses.
  uint32_t access = 0;
  uint32_t firstStep = 0, numSteps = 1;
  /// Of the first element in the first step.
  int64_t address = 0;
  int64_t stepBytes = 0;
  /// The elements that are on, the largest stride first; strides are positive.
  std::vector<TouchDim> dims;
  bool operator==(const TouchRun &) const = default;
};

/// An operation that accesses global memory.
struct TouchAccess {
  SourceRange range;
  /// `tt.load`, ….
  std::string operation;
  bool reads = false, writes = false;
  bool isInLoop = false;
  int32_t elementBytes = 0;
  bool operator==(const TouchAccess &) const = default;
};

/// Programs of a grid: every `stride`-th from `first` on, `count` at most.
struct ProgramSample {
  uint64_t first = 0, count = UINT64_MAX, stride = 1;
  bool operator==(const ProgramSample &) const = default;
};

/// A step is one turn of a program's innermost loop: it ends where an operation comes by for the
/// second time, or where another loop begins. What is outside of loops belongs to the step that it
/// is executed in.
struct TouchTrace {
  std::array<int32_t, 3> grid{1, 1, 1};
  /// Those that ran; `count` is how many they were.
  ProgramSample programs;
  /// The addresses depend on what the kernel reads.
  bool dependsOnData = false;
  /// There is more than what there was room for.
  bool isCut = false;
  std::vector<TouchAccess> accesses;
  std::vector<RecordedArgument> arguments;
  /// By program, then by step.
  std::vector<TouchRun> runs;
  /// The whole blocks of the executions of which a mask turns elements off, in the same order:
  /// what they cover beyond `runs` is masked. Only blocks whose addresses have an order.
  std::vector<TouchRun> blocks;
  bool operator==(const TouchTrace &) const = default;
};

} // namespace tilescope::compiler
