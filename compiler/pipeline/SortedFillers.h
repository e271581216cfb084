// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Values of `other` that are sorted among the loaded elements:
//
//     x = tl.load(p + i, mask=i < n, other=0.0)
//     y = tl.sort(x)                                 0.0 comes in front of all that is positive
//     tl.store(q + i, y, mask=i < n)
//
// Where the elements that are stored do not depend on it, nothing is said.
#pragma once

#include "compiler/artifacts/Diagnostic.h"
#include "compiler/interpreter/Interpreter.h"
#include "compiler/pipeline/FileTable.h"
#include "compiler/syntax/Ast.h"

#include "mlir/IR/BuiltinOps.h"

#include <vector>

namespace tilescope::compiler {

/// A warning for each load that goes into `tl.sort` or `tl.topk` alone. `launch`: before the run; neither its memory nor
/// the module is changed.
std::vector<Diagnostic> sortedFillers(mlir::ModuleOp module, const ast::SyntaxTree &tree,
                                      const InterpreterLaunch &launch,
                                      const InterpreterOptions &options, FileTable &files);

} // namespace tilescope::compiler
