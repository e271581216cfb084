// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Arithmetic on extents of which some are symbolic.
//
//   image: [N, 3, H, W], a convolution 3x3 with stride 2 and pads of 1:
//   H becomes (H + 2 - 3) floordiv 2 + 1 = (H - 1) floordiv 2 + 1
//
// A null extent stands for one that is out of range: a number beyond `kMostExtent`, a division by 0.
// It spreads through the arithmetic, so that it is enough to look at the end.
#pragma once

#include "compiler/dialects/tm/ir/Dialect.h"

#include <optional>
#include <string>

namespace tilescope::tm {

using Extent = mlir::AffineExpr;
using ExtentList = llvm::SmallVector<Extent, 6>;

/// No number in the arithmetic is larger, nor smaller than its negative. It also stands for all numbers
/// of a file that are larger: no extent may be it.
inline constexpr int64_t kMostExtent = int64_t{1} << 40;

Extent number(mlir::MLIRContext *context, int64_t value);
std::optional<int64_t> numberOf(Extent extent);
inline bool isNumber(Extent extent, int64_t value) { return numberOf(extent) == value; }

Extent add(Extent a, Extent b);
Extent subtract(Extent a, Extent b);
Extent multiply(Extent a, Extent b);
Extent floorDivide(Extent a, Extent b);
Extent ceilDivide(Extent a, Extent b);
Extent remainder(Extent a, Extent b);
Extent product(mlir::MLIRContext *context, llvm::ArrayRef<Extent> factors);
/// `total` without the factors, where it is a multiple of them; null where that cannot be seen.
Extent quotient(Extent total, Extent factors);

/// The symbolic extent of that name.
Extent symbol(mlir::MLIRContext *context, llvm::StringRef name);
/// The extent that two axes have together where the shorter one is repeated: where neither is known
/// it is a symbol of its own, the same for the same two.
Extent repeated(Extent a, Extent b);
/// The extent, or 0 where it is below: a symbol of its own where that is not known.
Extent atLeastZero(Extent extent);

ExtentList extentsOf(mlir::RankedTensorType type);
/// Null where an extent is null, below 0 or the largest number, or where the tensor would be larger than any memory.
mlir::RankedTensorType tensorOf(llvm::ArrayRef<Extent> extents, mlir::Type element);
/// Bytes of the tensor; nothing where they are not known.
std::optional<uint64_t> bytesOf(mlir::RankedTensorType type);
/// `[N, 3, H, W]`
std::string extentsText(llvm::ArrayRef<Extent> extents);

} // namespace tilescope::tm
