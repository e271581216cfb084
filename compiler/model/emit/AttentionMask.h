// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Which keys a query of attention sees:
//
//   added      score += mask                              0 and -inf, or any bias
//   selected   score = where(seen, score, number)
//   causal     keys up to the query's own place: from a constant of the model that says just that. It is not read, and the
//              keys behind the last one that a program's queries see are not looked at.
#pragma once

#include "compiler/model/emit/AttentionPattern.h"

namespace tilescope::model {

struct AttentionMask {
  /// Lines of the loop that change `score`; empty: none do.
  std::string lines = {};
  /// Which scores count of a piece.
  std::string inside = "at[None, :] < N";
  /// Where the keys end.
  std::string end = "N";
  /// A line that computes `end`; empty: it is a number of the kernel.
  std::string endLine = {};

  /// Whether scores are no more than scaled where they count, so that powers of 2 serve.
  bool keepsScores() const { return lines.empty(); }
};

/// With the tensors and numbers that it reads as arguments of the kernel. Nothing: there is no text for its number.
std::optional<AttentionMask> attentionMask(const AttentionPattern &pattern, EmittedKernel &kernel);

} // namespace tilescope::model
