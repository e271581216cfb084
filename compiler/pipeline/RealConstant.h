// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "mlir/IR/Value.h"

#include <optional>

namespace tilescope::compiler {

/// The real number that all elements of a value hold; nothing where it is not known while compiling.
std::optional<double> realConstant(mlir::Value value);
/// The same of integers, too.
std::optional<double> numberConstant(mlir::Value value);

} // namespace tilescope::compiler
