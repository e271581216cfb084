// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// The loop of attention over the keys, piece by piece. Pieces of which all queries of a program see each key come first,
// in a loop without bounds, where that saves more than beginning a second loop takes.
#pragma once

#include "compiler/model/emit/AttentionMask.h"

namespace tilescope::model {

struct AttentionLoop {
  /// The addresses of a piece's keys and values.
  std::string keyPlace = {}, valuePlace = {};
  AttentionMask mask = {};
  /// What multiplies the scores in the exponent of a power of 2; empty: `score` has it already.
  std::string factor = {};
  /// Whether powers are of 2, or of e.
  bool isOfTwo = true;
  /// Lines that multiply `score` before the mask.
  std::string scaling = {};
  int64_t keys = 1, blockN = 1;
  /// Whether rows of queries, of keys and of values end within a block.
  bool areRowsBound = true, isDepthBound = true, isWidthBound = true;
  /// Whether pieces that are seen as a whole have a loop of their own.
  bool isInTwo = false;

  std::string text() const;

private:
  bool areKeysBound() const { return keys % blockN != 0; }
  std::string piece(bool isWhole) const;
  std::string powers() const;
};

} // namespace tilescope::model
