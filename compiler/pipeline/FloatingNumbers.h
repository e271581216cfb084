// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/dialects/tt/ir/Dialect.h"

#include <optional>

namespace tilescope::compiler {

/// The floating number that a constant is, or that all of its elements are, but 0; nothing: it is none.
std::optional<double> constantOf(mlir::Operation *op);

/// Whether a kernel, in TTIR, may compute with floating numbers: as the whole of it has them, addresses and
/// masks, too.
bool hasFloats(tt::FuncOp kernel);

} // namespace tilescope::compiler
