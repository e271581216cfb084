// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Operations on elements that have no code of their own here: they call the interpreter's function
// for them, which works on arrays, with the lanes of a tile.
#pragma once

#include "mlir/IR/Operation.h"

#include <string>

namespace tilescope::cpu {

bool isTableFunction(mlir::Operation *op);
/// Whether the interpreter's function may have other results than the code for the operation here, and can be called.
bool differsInTable(mlir::Operation *op);
/// The name in code of the function that it calls.
std::string tableSymbolOf(mlir::Operation *op);
/// The function of that name, `void (std::byte *out, const std::byte *const *in, unsigned dense, size_t
/// count)`; null: it is another name.
void *tableFunction(llvm::StringRef symbol);

} // namespace tilescope::cpu
