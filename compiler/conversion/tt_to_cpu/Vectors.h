// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// A tile is a scalar, which stands for all lanes, or a vector with one element per lane.
#pragma once

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace tilescope::cpu {

/// The type in CPU IR of a scalar or of a block's elements; null where there is none yet.
mlir::Type elementTypeOf(mlir::Type type);
/// As which it is loaded and stored: truth values take a byte, and bf16 is a word without meaning,
/// which LLVM moves on any processor.
mlir::Type memoryTypeOf(mlir::Type element);
mlir::Value fromMemory(mlir::OpBuilder &b, mlir::Location loc, mlir::Value value,
                       mlir::Type element);
mlir::Value toMemory(mlir::OpBuilder &b, mlir::Location loc, mlir::Value tile);
int64_t memoryBytesOf(mlir::Type element);

/// The number of lanes of a tile; 0 for a scalar.
int64_t lanesOf(mlir::Value tile);
/// `element`, or a vector of it with as many lanes as `like` has.
mlir::Type typeLike(mlir::Value like, mlir::Type element);
/// The tile with one element per lane.
mlir::Value splat(mlir::OpBuilder &b, mlir::Location loc, mlir::Value tile, int64_t lanes);
/// Constants with as many lanes as `like` has.
mlir::Value floatLike(mlir::OpBuilder &b, mlir::Location loc, mlir::Value like, double value);
mlir::Value integerLike(mlir::OpBuilder &b, mlir::Location loc, mlir::Value like, int64_t value);
mlir::Value constantOf(mlir::OpBuilder &b, mlir::Location loc, mlir::Type type,
                       mlir::Attribute element);
/// `first`, `first + step`, …, with one element per lane.
mlir::Value ramp(mlir::OpBuilder &b, mlir::Location loc, mlir::Value first, int64_t step,
                 int64_t lanes);
/// Whether it is known that the condition holds.
bool isTrue(mlir::Value tile);
/// All lanes true.
mlir::Value allLanes(mlir::OpBuilder &b, mlir::Location loc, int64_t lanes);
/// A mask as an i64 with a bit per lane, the first lane's the lowest, and such a mask.
mlir::Value bitsOfMask(mlir::OpBuilder &b, mlir::Location loc, mlir::Value mask);
mlir::Value maskOfBits(mlir::OpBuilder &b, mlir::Location loc, mlir::Value bits, int64_t lanes);
/// Parts of as many lanes as a register has, and a tile of such parts.
llvm::SmallVector<mlir::Value> splitTile(mlir::OpBuilder &b, mlir::Location loc, mlir::Value tile,
                                         int64_t width);
mlir::Value joinTile(mlir::OpBuilder &b, mlir::Location loc, llvm::ArrayRef<mlir::Value> parts);
/// A narrower type to fp32 or fp64. bf16 goes through integers here, too: LLVM would move what follows
/// to bf16 itself, for which it calls a library.
mlir::Value widenFloat(mlir::OpBuilder &b, mlir::Location loc, mlir::Value tile,
                       mlir::Type element);
/// fp32 to a narrower type, rounded to nearest even. For bf16 in integers: not every processor has an
/// instruction, and that of those that have one takes denormal numbers for zero.
mlir::Value narrowFloat(mlir::OpBuilder &b, mlir::Location loc, mlir::Value tile,
                        mlir::Type element);
/// In another type: integers with their sign, floats by one of these two.
mlir::Value convertFactor(mlir::OpBuilder &b, mlir::Location loc, mlir::Value tile, mlir::Type to);
/// The sum of indices times strides, in i64.
mlir::Value scaledSum(mlir::OpBuilder &b, mlir::Location loc, llvm::ArrayRef<mlir::Value> indices,
                      llvm::ArrayRef<int64_t> strides);
/// The address of the element at `index` (a scalar or a vector of integers).
mlir::Value elementAddress(mlir::OpBuilder &b, mlir::Location loc, mlir::Value base,
                           mlir::Value index, mlir::Type element);

} // namespace tilescope::cpu
