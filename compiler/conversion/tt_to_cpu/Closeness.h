// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// How close results of code are to those of the interpreter's functions, which say what operations mean. A test holds
// each rule to it, for every type.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace tilescope::cpu {

/// How far results may be from those of the interpreter's function. NaN is as good as any other NaN.
struct Closeness {
  /// In units of the last place: of floats of 16 bits, of fp32, and of fp64.
  double narrow = 0, fp32 = 0, fp64 = 0;
  /// Of two zeros, it may be either.
  bool eitherZero = false;

  constexpr bool hasSameBits() const { return !(narrow + fp32 + fp64) && !eitherZero; }
};

/// Of the operation of TTIR with this name; nothing: there is no rule for it.
std::optional<Closeness> closenessOf(std::string_view operation);
/// The operations that rules are for.
std::vector<std::string_view> ruleNames();

} // namespace tilescope::cpu
