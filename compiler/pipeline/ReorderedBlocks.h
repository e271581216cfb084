// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// `tl.cat(a, b, can_reorder=True)` leaves the elements in the order that the layout decides. The interpreter keeps those of
// `a` before those of `b`, so its result does not show where a kernel relies on an order.
#pragma once

#include "compiler/artifacts/Diagnostic.h"
#include "compiler/pipeline/FileTable.h"

#include "mlir/IR/BuiltinOps.h"

#include <vector>

namespace tilescope::compiler {

/// A warning for each operation of `ttir` that pairs elements of `tl.cat` with elements that have an order, such as the
/// addresses of a store.
std::vector<Diagnostic> pairedAfterCat(mlir::ModuleOp ttir, FileTable &files);

} // namespace tilescope::compiler
