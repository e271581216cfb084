// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Means that divide by the extent of a block, which a mask has not filled:
//
//     x = tl.load(p + i, mask=i < n, other=0.0)        a block of 64, n = 48
//     mean = tl.sum(x, axis=0) / BLOCK                 / n
#pragma once

#include "compiler/artifacts/Diagnostic.h"
#include "compiler/interpreter/Interpreter.h"
#include "compiler/pipeline/FileTable.h"
#include "compiler/syntax/Ast.h"

#include "mlir/IR/Operation.h"

#include <vector>

namespace tilescope::compiler {

/// A warning for each of them, at the division. Its cause has the extent of the block and the bound of the mask.
std::vector<Diagnostic> meansOfBlocks(mlir::Operation *module, const ast::SyntaxTree &tree,
                                      const InterpreterLaunch &launch, FileTable &files);

} // namespace tilescope::compiler
