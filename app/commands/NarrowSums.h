// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Sums of fp16 and bf16 may be off by so much that a wrong kernel passes as well as a right one:
//
//     acc = tl.zeros([BN], dtype=tl.float16)
//     for r in range(0, M):                     3000 numbers between 0 and 1: 1500 ± 55
//         acc += tl.load(x_ptr + r * N + i)     without the last 50 of them: 1475
//
// The same kernel is run once more with these sums in fp32, which tells one from the other. Sums that are off by so much
// that they are of no use do not pass, either: 40000 numbers, one after the other, come to 2048.
#pragma once

#include "app/commands/RunLaunch.h"

namespace tilescope::app {

/// An output that sums of 16 bits go into.
struct NarrowSum {
  std::string output;
  /// `fp16`.
  std::string type;
  /// Of `wide`: with sums in fp32.
  int64_t elements = 0, differWide = 0;
};

/// Doubts matches that do not hold with sums in fp32. What differs with sums in fp32, too, and what the sums have made
/// useless, is judged as sums in fp32 are (`LaunchRun::judgedBy`). Returns the outputs that differ, and of which sums in
/// fp32 show why. On the CPU alone. Thread: the worker's.
std::vector<NarrowSum> judgeNarrowSums(compiler::WorkerClient &worker, const LaunchRequest &request,
                                       const LaunchHooks &hooks, LaunchRun &run);

/// Says of the mismatches of these outputs whether the sums are their cause, and where they are added up.
void explainNarrowSums(const std::vector<NarrowSum> &sums, const LaunchRequest &request,
                       LaunchRun &run);

/// What is known of how outputs are rounded, with `instead` in the place of what is known of theirs.
std::vector<compiler::RoundingFacts>
judgedWith(std::vector<compiler::RoundingFacts> roundings,
           const std::vector<compiler::RoundingFacts> &instead);

} // namespace tilescope::app
