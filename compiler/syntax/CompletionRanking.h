// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Which names fit what was typed, and in which order they are offered.
//
// Typed `n` in a kernel with the argument `N` and the local `num_rows`:
//   N, num_rows (names of the file), num_programs (the language), not, None (keywords)
#pragma once

#include "compiler/syntax/EditorServices.h"

#include <string_view>
#include <vector>

namespace tilescope::compiler::ast {

enum class MatchQuality {
  None,
  /// The letters occur in order, the first at the start of the name or of one of its words:
  /// `bm` in `BLOCK_M`.
  Letters,
  /// Typed in another case.
  PrefixInAnyCase,
  Prefix,
};

MatchQuality matchQuality(std::string_view name, std::string_view typed);

/// Leaves out what does not fit and repeated names, and sorts the rest, best first: the word
/// itself, also in another case; names that begin with it (arguments and locals, then functions,
/// keywords last; among functions those that kernels use most); names that contain its letters.
/// `wantsType`: types before everything else.
void rankCompletions(std::vector<Completion> &items, std::string_view typed,
                     bool wantsType = false);

} // namespace tilescope::compiler::ast
