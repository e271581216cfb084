// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/AccessFacts.h"
#include "compiler/artifacts/ComputeFacts.h"
#include "compiler/artifacts/Stage.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tilescope::compiler {

/// A step of what a program takes, with which more of them fit on a multiprocessor.
struct OccupancyStep {
  int64_t value = 0;
  int32_t blocks = 0;
  bool operator==(const OccupancyStep &) const = default;
};

/// How a usual GPU of the target holds the kernel's programs.
struct DeviceFacts {
  /// `an H100 or H200`.
  std::string name;
  int32_t multiprocessors = 0;
  /// Of its L2.
  uint64_t cacheBytes = 0;
  /// Programs, and warps of a most, on a multiprocessor; and what keeps more from it.
  int32_t blocks = 0, warps = 0, mostWarps = 0;
  std::string limiter;
  /// The most registers of a thread, and bytes of shared memory, with which one program more fits.
  std::optional<OccupancyStep> fewerRegisters, lessShared;
  /// Programs that run at the same time.
  uint64_t atOnce() const {
    return static_cast<uint64_t>(multiprocessors) * static_cast<uint64_t>(blocks);
  }
  bool operator==(const DeviceFacts &) const = default;
};

/// All that hints are made from: what `tilescope inspect` knows of a kernel in a launch.
struct HintFacts {
  MemoryFacts memory;
  ComputeFacts kernel;
  Resources resources;
  /// `cuda:90`.
  std::string target;
  int32_t numWarps = 4;
  /// Registers of a thread that Tilescope asks the assembler to keep to, where the kernel's options do not say; 0: none.
  int64_t ownRegisterLimit = 0;
  /// Types of the arguments as they were compiled, in Triton's notation.
  std::map<std::string, std::string> signature;
  /// The kernel has arguments of compile time.
  bool hasConstexprs = false;
  /// Names in the kernel's body; nothing where its source is IR.
  std::optional<std::set<std::string>> names = std::nullopt;
  /// Those of them where other constexprs may take another path; nothing where its source is IR.
  std::optional<std::set<std::string>> chosenNames = std::nullopt;
  /// Nothing for a target that is not known, or a kernel that fits on none.
  std::optional<DeviceFacts> device;
  /// Of all arrays of the launch.
  uint64_t arrayBytes = 0;
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
/// Bytes that a program asks for at each execution of an access, on average.
double bytesPerExecution(const AccessFacts &access);
/// From global memory, by all accesses.
uint64_t bytesFetched(const HintFacts &facts);
/// Whether the launch is over before it matters how a GPU is filled: a quick run on small sizes.
bool isQuickRun(const HintFacts &facts);
/// The access at a place that moves a block; null: there is none.
const AccessFacts *accessAt(const HintFacts &facts, const SourceRange &range);

} // namespace tilescope::compiler
