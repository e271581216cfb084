// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/SuggestedLaunch.h"

#include <map>
#include <string>
#include <vector>

namespace tilescope::compiler {

/// What is known of a size before it gets a number.
struct SizeNeeds {
  std::string name;
  /// Dimensions of the largest tensor that it is an extent of; 0 when it is only counted.
  size_t rank = 0;
  /// It is one of the outer dimensions of a tensor of three and more: heads, batches.
  bool isOuter = false;
  /// Groups of unequal lengths divide it, as sequences divide the tokens of a batch.
  bool isDivided = false;
  /// Accesses that nothing masks go this far at a time.
  int64_t multipleOf = 1;
  /// A single block takes all of it; 0 when there are several.
  int64_t atMost = 0;
  /// A loop goes over it in steps of this many: what comes in later turns shows from a larger size
  /// on. 0: none.
  int64_t loopStep = 0;
  /// What is a multiple of it fills no whole number of blocks.
  bool leavesRest = false;
  /// A loop goes over it without a mask, beside others that masks end: a mask is likely missing.
  bool lacksMask = false;
  /// It says how often a loop turns, or how many parts of something there are: a few.
  bool isFew = false;
  /// The size by which it is divided, with what is added to it before: there are several blocks of quotients.
  std::string divisor = {};
  std::map<std::string, int64_t> dividend = {};
  /// Windows that begin so many elements apart lie in it, as many as another size says; empty: none do.
  std::string windows = {};
  int64_t apart = 1;
  int64_t addend = 0;

  /// A block of this extent takes all of it.
  void endIn(int64_t block) {
    if (atMost == 0 || block < atMost)
      atMost = block;
  }
};

/// Numbers for sizes: tensors of at most a few hundred thousand elements, extents that keep sizes
/// apart and leave a rest in the last block unless the kernel does without a mask.
std::vector<SuggestedSize> sizeValues(const std::vector<SizeNeeds> &sizes);

} // namespace tilescope::compiler
