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
  /// Lines of the loop that change `score`, in two parts: between them are the bounds of what they load. Empty: none do.
  std::string lines = {}, linesBehind = {};
  /// What is loaded beyond the bounds.
  std::string other = {};
  /// The bytes of what is loaded for a query and a key; 0: all queries have the same.
  int64_t pairBytes = 0;
  bool isCausal = false;
  /// ` + past`: how far behind its own place a query sees; empty: not at all.
  std::string behind = {};
  /// Whether the lines put -inf in the place of some scores, and leave the others: these can be multiplied afterwards.
  bool onlyHides = false;
  /// Whether scores times log2(e) are numbers where the scores are.
  bool fitsPowersOfTwo = true;

  /// Whether scores are no more than scaled where they count.
  bool keepsScores() const { return lines.empty() || onlyHides; }
  /// Of the loads in `lines`: `, mask=…, other=…`; empty: all of a piece is inside.
  std::string bounds(bool areRowsBound, bool areKeysBound) const;
};

/// With the tensors and numbers that it reads as arguments of the kernel. Nothing: there is no text for its number.
std::optional<AttentionMask> attentionMask(const AttentionPattern &pattern, EmittedKernel &kernel);

} // namespace tilescope::model
