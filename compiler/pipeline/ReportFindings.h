// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/pipeline/CompileJob.h"
#include "compiler/pipeline/IndexRange.h"

#include "mlir/IR/BuiltinOps.h"

namespace tilescope::compiler::ast {
struct SyntaxTree;
} // namespace tilescope::compiler::ast

namespace tilescope::compiler {

/// A kernel that has run, as far as its findings need it.
struct RunKernel {
  mlir::ModuleOp ttir;
  /// Null for a document in IR.
  const ast::SyntaxTree *tree = nullptr;
  KernelSizes sizes;
};

/// Adds what a run has found to the job's diagnostics, with the advice that the source allows.
void reportFindings(CompileJob &job, const RunKernel &kernel, const Interpretation &interpretation,
                    const InterpreterLaunch &launch);

} // namespace tilescope::compiler
