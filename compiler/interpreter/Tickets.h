// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/dialects/tt/ir/Dialect.h"

#include "mlir/IR/BuiltinOps.h"

namespace tilescope::compiler::interpreter {

/// The atomic operation whose result, which depends on the order of programs, most likely decides
/// what a kernel stores: the first whose result reaches a value, a mask or an address that is
/// written, else the first that decides whether something is executed, by its result or as a
/// comparison, or that leaves what its program says in place of another's. Null: there is none.
mlir::Operation *findTicket(mlir::ModuleOp module);

} // namespace tilescope::compiler::interpreter
