// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Which parameters of a kernel a place in it depends on: where to look for the guess that is wrong
// when the place does not compile.
//
//   def kernel(x_ptr, n, BLOCK: tl.constexpr):
//       offsets = tl.arange(0, BLOCK)           BLOCK, at distance 10: where, not what
//       x = tl.load(x_ptr + offsets)            x_ptr, at distance 1
//       y = x // 2                              the place
#pragma once

#include "compiler/syntax/ModuleIndex.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilescope::compiler::inference {

struct Origin {
  std::string parameter;
  /// How loosely the place depends on it: 0 is the parameter itself, every assignment between adds
  /// one, offsets and conditions add more.
  int distance = 0;
};

/// `places`: a range of the document, then those of the calls that led there, innermost first.
/// Nearest first; parameters at the same distance in their own order. `variable`: a name that what
/// happens at the first place is about, `x` of "mismatched type for `x`"; may be empty.
std::vector<Origin> originsOf(const ast::ModuleIndex &index, const ast::JitFunction &kernel,
                              std::span<const SourceRange> places, std::string_view variable = {});

} // namespace tilescope::compiler::inference
