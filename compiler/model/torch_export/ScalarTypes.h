// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/dialects/tm/ir/Dialect.h"

#include <string>

namespace tilescope::model {

/// Of a number of PyTorch's `ScalarType`; null for complex and unknown types.
mlir::Type elementTypeOf(mlir::MLIRContext *context, int64_t scalarType);

/// As PyTorch writes it: `float32`, `complex64`, `type 99`.
std::string scalarTypeName(int64_t scalarType);

/// The type in which PyTorch computes with elements of both.
mlir::Type promotedType(mlir::Type a, mlir::Type b);

} // namespace tilescope::model
