// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// How often a warp executes each instruction, from how often the accesses of the source were
// executed. Branches divide the code into regions that lie in each other:
//
//     0: LDG a            region 0, once
//     1: @P0 BRA 6        2 to 6: a branch leads past it
//     2: MOV              region 1
//     3: LDG b            3 to 5: a loop, region 2
//     4: @P1 BRA 3
//     5: STG c
//     6: EXIT
//
// If a warp executed 7 loads of `b` and there is one in the loop, the loop goes round 7 times, and
// the branch at 1 is not taken. Where the assembler unrolled a loop four-fold and kept the rest, 7
// loads are one round of four, and three of what is left.
#pragma once

#include "compiler/machine/SassProgram.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tilescope::compiler::estimate {

struct CodeRegion {
  enum class Kind : uint8_t {
    /// All of the code.
    Whole,
    Loop,
    /// A branch leads past it.
    Skipped,
    /// Behind the end: other code jumps there.
    Behind,
  };
  Kind kind = Kind::Whole;
  /// Instructions, half-open.
  uint32_t begin = 0, end = 0;
  /// The region around it; -1: none.
  int32_t parent = -1;
  bool hasCall = false;
  /// By a warp, on average; -1: not known.
  double executions = -1;
};

/// Regions, each behind those around it.
struct CodeRegions {
  std::vector<CodeRegion> regions;
  /// By instruction: the innermost one.
  std::vector<int32_t> regionOf;

  double executions(uint32_t instruction) const {
    return regions[static_cast<size_t>(regionOf[instruction])].executions;
  }
};

CodeRegions findRegions(const machine::SassProgram &program);

/// Instructions that do one thing for one line of the source, and how often a warp executes them
/// all together.
struct CountedInstructions {
  std::vector<uint32_t> instructions;
  double executions = 0;
};

/// How often a loop goes round each time that it is entered; nothing: that is not known.
using RoundsOf = std::function<std::optional<double>(const CodeRegion &loop)>;

/// Fills `executions`; `roundsOf` is asked for loops of which no access says how often they go round. Returns the first instruction of each loop of which nothing says how often it
/// goes round.
std::vector<uint32_t> countRegions(CodeRegions &code,
                                   const std::vector<CountedInstructions> &counted,
                                   const RoundsOf &roundsOf = {});

} // namespace tilescope::compiler::estimate
