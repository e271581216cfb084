// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Masks of accesses to matrices. A bound of the whole offset would let one row run into the next:
//
//     x_ptr + row * n_cols + cols                            mask=cols < n_cols
//     x_ptr + rows[:, None] * n_cols + cols[None, :]
//                            mask=(rows[:, None] < n_rows) & (cols[None, :] < n_cols)
#pragma once

#include "compiler/artifacts/Interpretation.h"
#include "compiler/syntax/Ast.h"

#include <map>
#include <string>

namespace tilescope::compiler {

/// Whether the address is of a matrix, and the condition that keeps its indices inside.
struct RowMask {
  bool isMatrix = false;
  /// Empty where the names of the kernel do not say it.
  std::string condition;
};

/// `address` is the first argument of an access in `function`, at fault as `finding` says; `sizes`
/// are the kernel's integer arguments by name.
RowMask rowMask(const ast::SyntaxTree &tree, const ast::Node &function, const ast::Expr &address,
                const InterpreterFinding &finding, const std::map<std::string, int64_t> &sizes);

} // namespace tilescope::compiler
