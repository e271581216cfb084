// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Rows of a tensor that no mask ends:
//
//   ((o * C + c) * R + r) * S + s             rows of S, of R * S, and of C * R * S elements
//   (start + tl.arange(0, BLOCK)) * D + d     rows of D elements
//   page * PAGE + i                           rows of PAGE elements, where `page` was loaded
//   head * length * D + d                     `length` rows of D elements, wherever they are read
#pragma once

#include "compiler/analysis/TensorAccess.h"

namespace tilescope::compiler {

/// Whether what is multiplied by a constant counts rows of that length: it was loaded, or is a sum of
/// several indices, of which one is itself multiplied by an argument, or is a block's.
bool countsRows(mlir::Value index, const IndexBounds &bounds);

/// Whether a dimension is the last, or has nothing but rows of a constant length within it.
bool endsRows(const std::vector<AccessDim> &dims, size_t dim);

/// Adds the dimensions that only the distances of outer ones name. `dims` are sorted, outer first.
void addNamedRows(std::vector<AccessDim> &dims);

} // namespace tilescope::compiler
