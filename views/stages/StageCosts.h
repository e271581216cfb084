// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/Stage.h"

#include <QStringList>

#include <cstdint>
#include <map>
#include <string_view>

namespace tilescope::views {

/// What the text of a stage says about the cost of the kernel: each instruction or operation counts
/// once, however often it is executed.
struct StageCosts {
  /// Accesses to global memory: how many there are of each width, in bytes that one lane moves; 0:
  /// the stage does not say the width.
  std::map<int64_t, int> loads, stores;
  /// Copies from global to shared memory that the threads do not wait for.
  int asyncCopies = 0;
  /// Instructions that read or write shared memory, but for those copies.
  int sharedAccesses = 0;
  int atomics = 0;
  int barriers = 0;
  /// Between layouts; those in loops are part of them.
  int conversions = 0, loopConversions = 0;
  /// Of matrices, and those of them that tensor cores compute.
  int products = 0, tensorProducts = 0;
  /// Of buffers in shared memory, in bytes.
  int64_t bufferBytes = 0;
  /// Multiply-adds that a lane's share of the instructions computes, by tensor cores and by others.
  double tensorMultiplyAdds = 0, otherMultiplyAdds = 0;
  /// Instructions that write registers to local memory, or read them back.
  int spills = 0;
  /// Of PTX: accesses of local memory, such as the arguments of a print.
  int localAccesses = 0;

  /// Of the multiply-adds, 0 to 1; -1: tensor cores compute none.
  double tensorShare() const;
  bool operator==(const StageCosts &) const = default;
};

/// Counts in one pass over the text.
StageCosts countCosts(compiler::StageId stage, std::string_view text);

/// In a few words each, the most important first: `4 loads of 16 B`, `2 conversions, 1 in a loop`,
/// `97 % of multiply-adds on tensor cores`.
QStringList costFacts(const StageCosts &costs);

} // namespace tilescope::views
