// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/dialects/tm/ir/Dialect.h"

#include <cstdint>
#include <string>

namespace tilescope::model {

/// Of a number of `onnx.TensorProto.DataType`; null for strings, complex and unknown types.
mlir::Type elementType(mlir::MLIRContext *context, int32_t dataType);

/// As the format writes it: `float`, `int64`, …, `type 99`.
std::string dataTypeName(int32_t dataType);

} // namespace tilescope::model
