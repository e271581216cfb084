// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// `tl.reduce` and `tl.associative_scan` combine elements in an order that the layout decides, so their function has to be
// associative, and that of a reduction commutative, too. The interpreter keeps the order of the elements, and its result
// would not show that another order has another one: the function is tried on numbers of its own.
#pragma once

#include "compiler/artifacts/Diagnostic.h"
#include "compiler/pipeline/FileTable.h"

#include "mlir/IR/BuiltinOps.h"

#include <vector>

namespace tilescope::compiler {

/// A warning for each reduction and scan of `ttir` whose function has another result in another order. Functions that
/// were not tried, since they work on pointers or on numbers of 8 bits, are not among them.
std::vector<Diagnostic> dependentOnOrder(mlir::ModuleOp ttir, FileTable &files);

} // namespace tilescope::compiler
