// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Indices that are made of fractions, as those of bins are: `(x * bins).to(tl.int32)`.
#pragma once

#include "compiler/analysis/IndexBounds.h"

namespace tilescope::compiler {

/// The argument that a real number is a fraction of: it is a product with it.
std::optional<unsigned> wholeOfFraction(mlir::Value value, const IndexBounds &bounds);

/// Whether loaded real numbers are multiplied and then become indices of an array.
bool isMadeIndex(mlir::Value loaded);

} // namespace tilescope::compiler
