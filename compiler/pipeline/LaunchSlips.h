// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What a launch shows to be wrong without anything that is compared:
//
//     tl.make_tensor_descriptor(a_ptr, [M, K], [K, 1], [BM, BK])     K = 100 of fp16: rows of 200 bytes
//     start = tl.load(offsets_ptr + bag)
//     end = tl.load(offsets_ptr + bag)                               `range(start, end)` has no turn
#pragma once

#include "compiler/artifacts/Diagnostic.h"
#include "compiler/interpreter/Interpreter.h"
#include "compiler/pipeline/FileTable.h"
#include "compiler/pipeline/IndexRange.h"
#include "compiler/syntax/Ast.h"

#include "mlir/IR/BuiltinOps.h"

#include <vector>

namespace tilescope::compiler {

/// Strides of descriptors in the user's file that are no multiples of 16 bytes, and loops that begin at their end in
/// every program.
std::vector<Diagnostic> launchSlips(mlir::ModuleOp module, const ast::SyntaxTree &tree,
                                    const InterpreterLaunch &launch, const KernelSizes &sizes,
                                    FileTable &files);

} // namespace tilescope::compiler
