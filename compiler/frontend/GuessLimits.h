// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/inference/Objection.h"

#include "mlir/IR/BuiltinOps.h"

#include <optional>

namespace tilescope::compiler::frontend {

/// What is wrong with the sizes of a kernel that compiles, as long as they are guesses: blocks that
/// take minutes to lower, operands of dots that no shared memory holds, loops expanded to very many
/// operations. Names the worst operation.
std::optional<inference::Objection> objectionToSize(mlir::ModuleOp module);

} // namespace tilescope::compiler::frontend
