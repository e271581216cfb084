// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Loops that end when something happens, and that no result depends on: the compiler leaves them
// out, also those that would never end.
#pragma once

#include "compiler/pipeline/FileTable.h"
#include "compiler/support/SourceRange.h"

#include "mlir/IR/BuiltinOps.h"

#include <vector>

namespace tilescope::compiler {

/// The conditions that the `while` loops of a module were written with, in the document itself.
std::vector<SourceRange> whileLoops(mlir::ModuleOp module, FileTable &files);

/// Those of `before` that are not in the module any more.
std::vector<SourceRange> removedLoops(const std::vector<SourceRange> &before, mlir::ModuleOp module,
                                      FileTable &files);

} // namespace tilescope::compiler
