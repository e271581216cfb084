// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/dialects/tm/ir/Dialect.h"

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace tilescope::model {

/// The bytes of so many from where the file has the weight; nothing: they cannot be read.
using WeightBytes = std::function<std::optional<std::string_view>(tm::WeightOp, uint64_t size)>;

/// Real numbers that the model brings along, rows first; nothing: the value is computed, has another
/// type, or more than `most` elements.
std::optional<std::vector<double>> constantReals(mlir::Value value, const WeightBytes &bytes,
                                                 int64_t most);

/// The number that a constant has everywhere, real or whole.
std::optional<double> splatOf(mlir::Value value);

/// Whether a type has a finite number for each of these that is finite.
bool holds(mlir::FloatType element, llvm::ArrayRef<double> values);

/// A constant, each number rounded once to `element`.
mlir::Value realConstant(mlir::OpBuilder &builder, mlir::Location location,
                         llvm::ArrayRef<int64_t> shape, mlir::FloatType element,
                         llvm::ArrayRef<double> values);

} // namespace tilescope::model
