// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <cstdint>

namespace tilescope::profiler {

/// Why elements that are all within their tolerances are not shown to be right.
enum class MatchDoubt : uint8_t {
  None,
  /// Programs race, so that the run left one of several outcomes.
  Races,
  /// The same of threads of one program.
  Threads,
  /// The order in which a GPU combines the elements of a block decides about the result.
  Order,
  /// Undefined values take part.
  Undefined,
  /// What is read outside of an argument takes part: 0 in the interpreter, and chance on a GPU.
  Outside,
  /// Programs wait for others that a GPU may not begin.
  Hang,
  /// The output holds what it held before the run.
  Unchanged,
  /// What is expected is what the output held before the run.
  Foregone,
  /// Only zeros are expected.
  Zeros,
  /// 0 would have passed for many elements that are not 0, the tolerance is a large part of most of them,
  /// or some are off by more than is likely, or most by more than roundings explain.
  Tolerance,
  /// All elements together are off by more, in one direction, than roundings explain.
  Bias,
  /// Sums of 16 bits may be off by so much; with sums in fp32, elements are not as expected.
  NarrowSums,
  /// What is expected has fractions, and the output's type cuts them off.
  Fractions,
  /// Much of it was not compared: nothing can be expected there.
  LeftOut,
};

/// Whether another run may leave something else: a match proves nothing.
constexpr bool isByChance(MatchDoubt doubt) {
  return doubt == MatchDoubt::Races || doubt == MatchDoubt::Threads || doubt == MatchDoubt::Order ||
         doubt == MatchDoubt::Undefined || doubt == MatchDoubt::Outside;
}

} // namespace tilescope::profiler
