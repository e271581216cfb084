// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Arguments of a launch that keep lanes from moving 16 bytes at once, and what other values of them
// would give. Whether they pay is counted, not concluded: a row's stride that is a multiple of 16
// widens nothing where the mask ends at any element, and may cost more than it saves.
#pragma once

#include "compiler/hints/HintFacts.h"

namespace tilescope::compiler {

/// An argument that a launch would pass, or the compiler would know, as a multiple of 16.
struct PaddedArgument {
  std::string name;
  /// As the kernel was compiled, in Triton's notation.
  std::string type;
  /// In the launch. Equal: the launch passes what the kernel is not compiled for.
  int64_t from = 0, to = 0;
  /// A mask ends with it; else rows begin at its multiples.
  bool endsMask = false;
  /// Where the kernel makes a value from it, as of a mean: another number is another result there.
  std::optional<SourceRange> computed = {};
  bool changes() const { return from != to; }
  bool operator==(const PaddedArgument &) const = default;
};

/// A change of arguments that a hint proposes, and the accesses that it should widen.
struct Padding {
  std::vector<SourceRange> places;
  std::vector<PaddedArgument> arguments;
  bool operator==(const Padding &) const = default;
};

/// Whether an access is narrow because of what is known of an argument, or of no argument.
bool isNarrow(const HintFacts &facts, const AccessFacts &access);
/// The launch passes a multiple of 16, and the kernel was not compiled for that.
bool isSpecializationLost(const HintFacts &facts, const std::string &argument);
/// What would widen a narrow access; nothing where no argument of the launch does.
std::optional<PaddedArgument> paddedArgument(const HintFacts &facts, const AccessFacts &access);

/// What else keeps the accesses narrow after a change: first those of the places, then others.
std::optional<PaddedArgument> nextPadding(const HintFacts &changed, const Padding &padding);

/// What the change saves, counted, as a clause; nothing where it does not pay. `accesses` of both
/// are filled.
std::optional<std::string> paddingGain(const HintFacts &before, const HintFacts &after,
                                       const Padding &padding);
/// The change in words.
std::string paddingAdvice(const Padding &padding);

} // namespace tilescope::compiler
