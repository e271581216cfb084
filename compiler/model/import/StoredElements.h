// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/dialects/tm/ir/Dialect.h"

#include <cstdint>

namespace tilescope::model {

/// Tensors of no more bytes become constants of the module: they may be what shapes are made of.
inline constexpr uint64_t kMostConstantBytes = 1024;

/// What the elements of a tensor take in a file: a truth value a byte, two numbers of 4 bits one.
uint64_t storedBytes(mlir::RankedTensorType type);

/// Elements that a file holds: little-endian, rows first, `storedBytes` of them; none of 4 bits. Bytes
/// of truth values may hold any number.
mlir::ElementsAttr storedElements(mlir::RankedTensorType type, llvm::StringRef bytes);

} // namespace tilescope::model
