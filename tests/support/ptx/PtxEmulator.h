// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/AccessFacts.h"
#include "compiler/ptx/PtxModule.h"

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace tilescope::tests {

using namespace compiler;

/// A kernel argument: a buffer in global memory, or the bits of a scalar.
struct PtxArgument {
  std::span<uint8_t> buffer;
  uint64_t scalar = 0;
  /// Passed by value instead of the buffer's address: a tensor map of it.
  std::vector<uint8_t> bytes{};
};

struct PtxLaunch {
  /// In CTAs, those of clusters counted one by one.
  std::array<uint32_t, 3> grid{1, 1, 1};
  std::vector<PtxArgument> arguments;
  int64_t sharedBytes = 0;
  /// A CTA that executes more instructions than this per thread is taken to hang.
  int64_t maxSteps = 50'000'000;
  /// Fill in `PtxStatistics::requests`.
  bool countRequests = false;
};

/// Counts that tell how good the code is.
struct PtxStatistics {
  int64_t instructions = 0;
  int64_t barriers = 0;
  int64_t globalAccesses = 0;
  int64_t sharedAccesses = 0;
  /// What warps request of memory, by the kind of instruction. Buffers count as aligned to lines.
  std::map<std::string, AccessCounts> requests;
};

struct PtxOutcome {
  /// Empty when the kernel ran to its end without a fault: `line N: what happened`.
  std::string error;
  /// What the kernel printed.
  std::string printed;
  PtxStatistics statistics;
};

/// Executes every thread of every CTA of a PTX kernel on the CPU, CTA by CTA, or cluster by cluster.
///
/// The threads of a CTA run one after the other from one meeting point to the next: `bar.sync` for
/// the CTA; `shfl`, `vote`, `redux`, `bar.warp.sync`, `ldmatrix` and `mma` for a warp; and a wait
/// for an `mbarrier` or the cluster's barrier. So nothing depends on timing, and faults are found for
/// certain: an access outside every buffer, or to the shared memory of a CTA that has ended, a meeting
/// point that some threads never reach, and two threads, of one CTA or of two, that touch one byte of
/// shared memory, one of them writing, without a barrier in between. Bulk copies count as separate threads, which see only what a proxy fence has shown them.
PtxOutcome emulatePtx(const PtxModule &module, const PtxProgram &kernel, const PtxLaunch &launch);

} // namespace tilescope::tests
