// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// The expressions that a suggested launch is made of.
#pragma once

#include "compiler/analysis/SizeValues.h"
#include "compiler/analysis/TensorAccess.h"
#include "compiler/artifacts/SuggestedLaunch.h"

#include <map>
#include <string>
#include <vector>

namespace tilescope::compiler {

/// A product: `M * N`, of the factors from `from` on; `1` of none.
std::string productOf(const std::vector<std::string> &factors, size_t from);

/// Of elements that are bits, how many values from 0 up a pointer's type has: 256 of `*u8`.
std::string numValues(llvm::StringRef pointer);

/// What a stride counts: elements, or the rows of a constant length that lie between two.
std::string distanceOf(const std::vector<AccessDim> &dims, size_t dim,
                       const std::vector<std::string> &shape);

/// Whether an array is read in pairs of neighbors, as `row_ptr[row]` and `row_ptr[row + 1]`.
bool readsNeighbors(const TensorAccess &access);

/// Whether any expression of a launch says a size.
bool isNamed(const SuggestedLaunch &launch, const std::string &size);

/// `program_id * n_cols + arange(0, n_cols)` reads like blocks of `n_rows` elements. Where the names say rows
/// and columns, every program takes a row.
void readAsRows(const std::map<std::string, std::string> &constexprs, SuggestedLaunch &launch,
                std::vector<SizeNeeds> &sizes);

} // namespace tilescope::compiler
