// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/syntax/Ast.h"

#include "mlir/IR/Operation.h"

#include <cstdint>
#include <vector>

namespace tilescope::compiler {

/// Whether nothing that a kernel in TTIR does is seen after its run: it stores nothing, changes
/// nothing atomically, prints and asserts nothing, and executes no assembly that might.
bool doesNothing(mlir::Operation *module);

/// The axes of the grid whose programs have numbers that the kernel does not read, so that all along one do
/// the same; none where programs may tell each other apart otherwise, or do nothing.
std::vector<int32_t> unreadAxes(mlir::Operation *module);

/// The function of that name at the top of the file; null when there is none.
const ast::FunctionDef *functionNamed(const ast::SyntaxTree &tree, std::string_view name);

} // namespace tilescope::compiler
