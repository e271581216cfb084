// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Kernels that PyTorch's compiler generates say themselves what they are compiled for: a decorator
// holds `triton_meta={"signature": {"in_ptr0": "*fp32", "xnumel": "i32"}, "constants": {…}}`. Older
// ones number the parameters instead of naming them.
#pragma once

#include "compiler/artifacts/CompileRequest.h"
#include "compiler/syntax/Ast.h"

namespace tilescope::compiler::inference {

/// Whether a decorator says what its kernel is compiled for.
bool hasGeneratedSignature(const ast::Expr &decorator);

/// Completes `given` with what the decorators of `function` say. Values in `given` are kept.
void readGeneratedSignature(const ast::SyntaxTree &tree, const ast::FunctionDef &function,
                            Selection &given);

} // namespace tilescope::compiler::inference
