// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// The offsets and the mask that an access to a block lacks, in the names of the function:
//
//     mask = i < n
//     x = tl.load(x_ptr + i, mask=mask)
//     out_ptr = x                        tl.store(out_ptr + i, x, mask=mask)
#pragma once

#include "compiler/frontend/Frame.h"

#include <string>

namespace tilescope::compiler::frontend {

/// The offsets of the elements of a block of that shape: those that `mask` (null: none is known)
/// compares, else those of the function's other accesses. Empty where there are several.
std::string offsetsOfBlock(const Frame &frame, const Shape &shape, const ast::Expr *mask = nullptr);

/// Whether the function reads with masks, so that blocks may hold elements that do not count.
bool usesMasks(const Frame &frame);

/// What the mask of a name's load compares its offsets with: `n` of `mask=i < n`.
struct MaskedCount {
  /// Empty where there is no such.
  std::string code;
  /// The offsets begin at 0 in every program, so that the block holds all `n` elements; else it is
  /// one of the blocks that they are divided into.
  bool isOfBlock = false;
  /// The comparison itself, as code: `i < n`.
  std::string mask = {};
};

/// How many elements of a block a mask lets through, as code; `all`: where it has none.
std::string numLoaded(const MaskedCount &count, const std::string &all);

MaskedCount maskedCount(const Frame &frame, std::string_view name);

/// The mask that all accesses of the function at `offsets` have, as code; empty where one has none,
/// or another one.
std::string maskAt(const Frame &frame, std::string_view offsets);
/// The same as an argument behind others: `, mask=i < n`.
std::string maskArgumentAt(const Frame &frame, std::string_view offsets);
/// Of the parts of an index in brackets; empty where there are several. Where no access says it, the name of the only
/// mask that ends such an index.
std::string maskAtIndex(const Frame &frame, const std::vector<const ast::Expr *> &parts);

} // namespace tilescope::compiler::frontend
