// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/AccessFacts.h"
#include "compiler/artifacts/ComputeFacts.h"
#include "compiler/artifacts/Stage.h"

#include <map>
#include <string>
#include <vector>

namespace tilescope::compiler {

/// All that hints are made from: what `tilescope inspect` knows of a kernel in a launch.
struct HintFacts {
  MemoryFacts memory;
  ComputeFacts kernel;
  Resources resources;
  /// `cuda:90`.
  std::string target;
  int32_t numWarps = 4;
  /// Types of the arguments as they were compiled, in Triton's notation.
  std::map<std::string, std::string> signature;
  /// Integer arguments of the launch.
  std::map<std::string, int64_t> integers;

  /// Of `memory`, by place; see `mergeAccesses`.
  std::vector<AccessFacts> accesses;
};

/// Whether an access moves a block between global memory and the program.
bool movesBlock(const AccessFacts &access);
/// The part of the bytes fetched that lanes ask for, request by request: from 0 to 1.
double usedShare(const AccessFacts &access);
/// The part of all bytes fetched that the access fetches.
double trafficShare(const HintFacts &facts, const AccessFacts &access);
/// How often each program executes an access at a place, on average.
double executionsPerProgram(const HintFacts &facts, const SourceRange &range);

} // namespace tilescope::compiler
