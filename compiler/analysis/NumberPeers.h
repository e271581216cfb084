// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What other accesses and comparisons say of the numbers of programs and of the integers between elements:
//
//   x + row * n + c,  c <= row,  c < n         as many rows as columns
//   x + i,  x + c,  c < n                      as many programs as elements
//   x + b * sb + s * ss + i                    `sb` and `ss` are strides
//   x + o * step                               every `step`th element, and nothing else between them
#pragma once

#include "compiler/analysis/TensorAccess.h"

namespace tilescope::compiler {

/// Where indices end that a number is compared with: at `n` for `row` of `columns <= row`, `columns < n`.
ArgumentSet endsOfPeers(mlir::Value number, const IndexBounds &bounds);

/// As far as a number goes of which an index begins behind 0 and ends at an argument when a constant was taken from it, as
/// much behind the end as in front of it: `h + 4` of `row - 2 >= 0`, `row - 2 < h`. Nothing where it is moved elsewhere,
/// too, or compared itself.
std::optional<LinearEnd> paddedNumber(mlir::Value number, const IndexBounds &bounds);

/// Whether several arguments at which nothing ends lie between the elements of an array, each along one dimension.
bool passesStrides(const TensorAccess &access, const IndexBounds &bounds);

/// Arguments that only lie between single elements of arrays of one dimension that are read. None where what is written
/// has such, too: all of them are strides then.
ArgumentSet loneSteps(const std::map<unsigned, TensorAccess> &accesses, const IndexBounds &bounds);

} // namespace tilescope::compiler
