// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Lanes that the load of an index leaves out hold padding, and that is the index of some place, too:
//
//     a = tl.load(a_ptr + o, mask=o < n, other=0)
//     h_ptr + a                                    `o < n`
//     h_ptr + tl.argmax(a)                         one number: no mask
//     h_ptr + a[:, None]                           the mask has other axes
#pragma once

#include "compiler/syntax/Ast.h"

#include <set>
#include <string_view>

namespace tilescope::compiler {

/// The masks of the loads that an index is made of, as the source has them.
struct IndexMasks {
  std::set<std::string_view> masks;
  /// There is one for other axes than those of the index.
  bool haveOtherAxes = false;
};

/// `index`: an expression in front of `before`, or in it.
IndexMasks masksOfIndex(const ast::SyntaxTree &tree, const ast::Expr &index,
                        const SourceRange &before);

} // namespace tilescope::compiler
