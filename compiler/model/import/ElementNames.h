// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/dialects/tm/ir/Dialect.h"

#include <string>

namespace tilescope::model {

/// The name of an element type that is shown, in ONNX's words for models of all formats: `float`,
/// `int64`.
std::string elementTypeName(mlir::Type type);

} // namespace tilescope::model
