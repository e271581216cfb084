// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/AccessFacts.h"
#include "compiler/artifacts/ComputeFacts.h"
#include "compiler/estimate/DeviceRates.h"

#include <map>
#include <string>
#include <vector>

namespace tilescope::compiler::estimate {

struct TrafficInput {
  const MemoryFacts *memory = nullptr;
  /// Empty: there are too many to tell them apart.
  const std::vector<ProgramFacts> *programs = nullptr;
  /// Of the arrays of the launch, by argument.
  std::map<std::string, uint64_t> arrayBytes;
  int32_t programsPerSm = 1;
  /// Of a program.
  int64_t sharedBytes = 0;
};

/// Which part of an access's bytes comes from beyond L1, and which from beyond L2.
struct AccessShares {
  double pastL1 = 1, pastL2 = 1;
};

/// Of a launch that finds its data in DRAM, in bytes.
struct MemoryTraffic {
  double l2ReadBytes = 0, l2WriteBytes = 0;
  double dramReadBytes = 0, dramWriteBytes = 0;
  double atomicSectors = 0;
  /// As in `EstimateFacts`.
  double atomicTurns = 0;
  /// In the order of `MemoryFacts::accesses`.
  std::vector<AccessShares> shares;
};

/// What the caches keep from the counted sectors:
///
/// - An array comes from DRAM once, or once a wave of programs where it does not fit into L2.
/// - L1 gives what a program, or its neighbors on the multiprocessor, loaded before, as far as all
///   of that fits beside shared memory.
///
/// Worked example (asserted by a unit test): three loads of each row of 8 KiB, one program a row.
/// Eight programs at once need 64 KiB of L1, which has them: of three loads, one goes to L2.
MemoryTraffic memoryTraffic(const TrafficInput &input, const DeviceRates &device);

/// How many times the lines of L1 that an average multiprocessor passes the busiest one does; at least 1.
/// Programs go to the multiprocessor that has done the least so far.
///
/// Worked example (asserted by a unit test): of 128 programs only the first one has rows of its own. It has
/// 128 times the lines of an average program, and so has its multiprocessor.
double unevenness(const std::vector<ProgramFacts> &programs, const DeviceRates &device);

} // namespace tilescope::compiler::estimate
