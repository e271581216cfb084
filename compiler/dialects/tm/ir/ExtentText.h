// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/dialects/tm/ir/Dialect.h"

#include <string>

namespace tilescope::tm {

/// `3`, `N`, `(H + 1) floordiv 2`, `"batch size" * 4`: what `parseExtent` reads.
std::string extentText(mlir::AffineExpr extent);

/// Null after an error has been reported.
mlir::AffineExpr parseExtent(mlir::AsmParser &parser);

} // namespace tilescope::tm
