// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
// What of a comparison is said: what passed, and what makes a match doubtful.
#include "compiler/support/Counted.h"
#include "profiler/analysis/Comparison.h"

#include <cmath>
#include <cstdio>
#include <limits>

namespace tilescope::profiler {

static std::string shortNumber(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.3g", value);
  return text;
}

static std::string passingText(const OutputComparison &comparison) {
  const std::string absolute = shortNumber(comparison.absoluteTolerance);
  const std::string relative = comparison.relativeTolerance == 0
                                   ? ""
                                   : shortNumber(comparison.relativeTolerance) + " × |expected|";
  // As little as GPUs take for zero is not worth a word.
  if (comparison.absoluteTolerance <= std::numeric_limits<float>::min())
    return relative.empty() ? "equal values pass" : "values within " + relative + " pass";
  if (comparison.isTolerancePerElement)
    return "values within " + (relative.empty() ? "" : relative + " + ") +
           "what rounding on the way adds, at most " + absolute + " here, pass";
  return "values within " + absolute + (relative.empty() ? "" : " + " + relative) + " pass";
}

static std::string leftOutText(const OutputComparison &comparison) {
  return std::to_string(comparison.undefined) + " of " + counted(comparison.elements, "element") +
         (comparison.undefined == 1 ? " is" : " are");
}

std::string toleranceText(const OutputComparison &comparison) {
  std::string text = passingText(comparison);
  if (comparison.undefined > 0)
    text += "; " + leftOutText(comparison) + " left out, where what is expected is not a number";
  return text;
}

static std::string toleranceDoubt(const OutputComparison &comparison) {
  if (comparison.unlikely > 0)
    return " only if what is rounded on the way adds up as it rarely does, at " +
           counted(comparison.unlikely, "element");
  if (comparison.unexplained > 0)
    return ", but " + counted(comparison.unexplained, "element") +
           (comparison.unexplained == 1 ? " is" : " are") +
           " off by more than 8 times what rounding explains";
  if (comparison.loose > 0)
    return " within a tolerance of more than " + shortNumber(100 * kLooseShare) +
           " % of what is expected, at " + counted(comparison.loose, "element");
  return " within a tolerance so large that 0 would pass for " +
         counted(comparison.indistinct, "element") + ", too";
}

static std::string biasDoubt(const OutputComparison &comparison) {
  char share[32];
  std::snprintf(share, sizeof share, "%.2g", 100 * std::fabs(comparison.bias));
  return std::string(", but all together it is ") + share + " % too " +
         (comparison.bias > 0 ? "large" : "small") + ", where roundings would cancel out";
}

std::string guessText(const OutputResult &output) {
  if (output.isShapeGuess && output.isGridGuess)
    return "its shape and the grid are guesses: the shape may be too large, or the grid too small";
  if (output.isShapeGuess)
    return "its shape is a guess and may be too large";
  return output.isGridGuess ? "the grid is a guess and may be too small" : "";
}

std::string doubtText(const OutputComparison &comparison) {
  switch (comparison.doubt) {
  case MatchDoubt::None:
    return "";
  case MatchDoubt::Races:
    return " by chance, since programs race";
  case MatchDoubt::Threads:
    return " by chance, since threads of a program race";
  case MatchDoubt::Order:
    return " in the order of the CPU, but a GPU may combine the elements in another";
  case MatchDoubt::Undefined:
    return " by chance, since undefined values take part";
  case MatchDoubt::Outside:
    return " by chance, since what is read outside of an array takes part";
  case MatchDoubt::Hang:
    return " here, but on a GPU the kernel can hang";
  case MatchDoubt::Unchanged:
    return ", but it holds what it held before the run";
  case MatchDoubt::Foregone:
    return ", but it held what is expected before the run, too";
  case MatchDoubt::Zeros:
    return ", but only zeros are expected, which says little";
  case MatchDoubt::Tolerance:
    return toleranceDoubt(comparison);
  case MatchDoubt::Bias:
    return biasDoubt(comparison);
  case MatchDoubt::NarrowSums:
    return " only because sums of 16 bits may be off by so much: with sums in fp32, " +
           std::to_string(comparison.differWide) + " of " +
           counted(comparison.elements, "element") +
           (comparison.differWide == 1 ? " differs" : " differ") + " from what is expected";
  case MatchDoubt::Fractions:
    return ", but what is expected has fractions, which the type cuts off, at " +
           counted(comparison.fractions, "element") + ": `trunc(…)` says that this is meant";
  case MatchDoubt::LeftOut:
    return ", but " + leftOutText(comparison) + " left out";
  }
  return "";
}

} // namespace tilescope::profiler
