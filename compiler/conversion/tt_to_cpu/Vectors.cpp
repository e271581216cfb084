// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/tt_to_cpu/Vectors.h"

#include "compiler/dialects/tt/ir/Dialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tilescope::cpu {

Type elementTypeOf(Type type) {
  Type element = getElementTypeOrSelf(type);
  if (auto pointer = dyn_cast<tt::PointerType>(element))
    return tt::isTensorPointerType(pointer) ? Type()
                                            : LLVM::LLVMPointerType::get(type.getContext());
  if (auto integer = dyn_cast<IntegerType>(element))
    return llvm::is_contained({1, 8, 16, 32, 64}, integer.getWidth()) ? element : Type();
  return isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(element) ? element : Type();
}

Type memoryTypeOf(Type element) {
  const unsigned bits = element.isInteger(1) ? 8 : element.isBF16() ? 16 : 0;
  return bits ? IntegerType::get(element.getContext(), bits) : element;
}

Value fromMemory(OpBuilder &b, Location loc, Value value, Type element) {
  if (element.isInteger(1))
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, value,
                                 integerLike(b, loc, value, 0));
  return element.isBF16() ? Value(arith::BitcastOp::create(b, loc, typeLike(value, element), value))
                          : value;
}

Value toMemory(OpBuilder &b, Location loc, Value tile) {
  Type element = getElementTypeOrSelf(tile.getType());
  Type type = typeLike(tile, memoryTypeOf(element));
  if (element.isInteger(1))
    return arith::ExtUIOp::create(b, loc, type, tile);
  return element.isBF16() ? Value(arith::BitcastOp::create(b, loc, type, tile)) : tile;
}

int64_t memoryBytesOf(Type element) {
  if (isa<LLVM::LLVMPointerType>(element))
    return 8;
  return memoryTypeOf(element).getIntOrFloatBitWidth() / 8;
}

int64_t lanesOf(Value tile) {
  auto vector = dyn_cast<VectorType>(tile.getType());
  return vector ? vector.getNumElements() : 0;
}

Type typeLike(Value like, Type element) {
  const int64_t lanes = lanesOf(like);
  return lanes ? VectorType::get({lanes}, element) : element;
}

Value splat(OpBuilder &b, Location loc, Value tile, int64_t lanes) {
  if (lanesOf(tile) || lanes == 0)
    return tile;
  // As bits: LLVM would put a number into the register by a conversion of the processor, which takes denormal ones for 0.
  const Type element = tile.getType();
  Value number =
      element.isBF16() ? Value(arith::BitcastOp::create(b, loc, b.getI16Type(), tile)) : tile;
  Value splat =
      vector::BroadcastOp::create(b, loc, VectorType::get({lanes}, number.getType()), number);
  return element.isBF16()
             ? Value(arith::BitcastOp::create(b, loc, VectorType::get({lanes}, element), splat))
             : splat;
}

Value constantOf(OpBuilder &b, Location loc, Type type, Attribute element) {
  if (auto vector = dyn_cast<VectorType>(type))
    return arith::ConstantOp::create(b, loc, DenseElementsAttr::get(vector, element));
  return arith::ConstantOp::create(b, loc, cast<TypedAttr>(element));
}

Value floatLike(OpBuilder &b, Location loc, Value like, double value) {
  Type type = like.getType();
  return constantOf(b, loc, type, b.getFloatAttr(getElementTypeOrSelf(type), value));
}

Value integerLike(OpBuilder &b, Location loc, Value like, int64_t value) {
  Type type = like.getType();
  auto element = cast<IntegerType>(getElementTypeOrSelf(type));
  APInt bits(64, static_cast<uint64_t>(value), /*isSigned=*/true);
  return constantOf(b, loc, type, b.getIntegerAttr(element, bits.sextOrTrunc(element.getWidth())));
}

Value ramp(OpBuilder &b, Location loc, Value first, int64_t step, int64_t lanes) {
  SmallVector<APInt> steps;
  const unsigned width = first.getType().getIntOrFloatBitWidth();
  for (int64_t i = 0; i < lanes; ++i)
    steps.push_back(APInt(64, static_cast<uint64_t>(i * step)).sextOrTrunc(width));
  auto type = VectorType::get({lanes}, first.getType());
  Value offsets = arith::ConstantOp::create(b, loc, DenseElementsAttr::get(type, steps));
  return arith::AddIOp::create(b, loc, splat(b, loc, first, lanes), offsets);
}

bool isTrue(Value tile) {
  return getElementTypeOrSelf(tile.getType()).isInteger(1) && matchPattern(tile, m_One());
}

Value allLanes(OpBuilder &b, Location loc, int64_t lanes) {
  return constantOf(b, loc, VectorType::get({lanes}, b.getI1Type()), b.getBoolAttr(true));
}

Value bitsOfMask(OpBuilder &b, Location loc, Value mask) {
  Value bits =
      LLVM::BitcastOp::create(b, loc, b.getIntegerType(static_cast<unsigned>(lanesOf(mask))), mask);
  return arith::ExtUIOp::create(b, loc, b.getI64Type(), bits);
}

Value maskOfBits(OpBuilder &b, Location loc, Value bits, int64_t lanes) {
  Value narrow =
      arith::TruncIOp::create(b, loc, b.getIntegerType(static_cast<unsigned>(lanes)), bits);
  return LLVM::BitcastOp::create(b, loc, VectorType::get({lanes}, b.getI1Type()), narrow);
}

static Value roundToBf16(OpBuilder &b, Location loc, Value tile) {
  Value bits = arith::BitcastOp::create(b, loc, typeLike(tile, b.getI32Type()), tile);
  auto number = [&](int64_t value) { return integerLike(b, loc, bits, value); };
  Value high = arith::ShRUIOp::create(b, loc, bits, number(16));
  Value odd = arith::AndIOp::create(b, loc, high, number(1));
  Value half = arith::AddIOp::create(b, loc, odd, number(0x7fff));
  Value rounded =
      arith::ShRUIOp::create(b, loc, arith::AddIOp::create(b, loc, bits, half), number(16));
  Value isNan = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNO, tile, tile);
  Value nan = arith::OrIOp::create(b, loc, high, number(0x40));
  Value result = arith::SelectOp::create(b, loc, isNan, nan, rounded);
  result = arith::TruncIOp::create(b, loc, typeLike(tile, b.getI16Type()), result);
  return arith::BitcastOp::create(b, loc, typeLike(tile, b.getBF16Type()), result);
}

Value widenFloat(OpBuilder &b, Location loc, Value tile, Type element) {
  if (getElementTypeOrSelf(tile.getType()).isBF16()) {
    Value bits = arith::BitcastOp::create(b, loc, typeLike(tile, b.getI16Type()), tile);
    Value word = arith::ExtUIOp::create(b, loc, typeLike(tile, b.getI32Type()), bits);
    word = arith::ShLIOp::create(b, loc, word, integerLike(b, loc, word, 16));
    tile = arith::BitcastOp::create(b, loc, typeLike(tile, b.getF32Type()), word);
  }
  Type type = typeLike(tile, element);
  return type == tile.getType() ? tile : Value(arith::ExtFOp::create(b, loc, type, tile));
}

Value narrowFloat(OpBuilder &b, Location loc, Value tile, Type element) {
  return element.isBF16() ? roundToBf16(b, loc, tile)
                          : arith::TruncFOp::create(b, loc, typeLike(tile, element), tile);
}

Value convertFactor(OpBuilder &b, Location loc, Value tile, Type to) {
  Type from = getElementTypeOrSelf(tile.getType());
  if (from == to)
    return tile;
  if (!isa<FloatType>(to))
    return arith::ExtSIOp::create(b, loc, typeLike(tile, to), tile);
  return from.getIntOrFloatBitWidth() < to.getIntOrFloatBitWidth() ? widenFloat(b, loc, tile, to)
                                                                   : narrowFloat(b, loc, tile, to);
}

SmallVector<Value> splitTile(OpBuilder &b, Location loc, Value tile, int64_t width) {
  SmallVector<Value> parts;
  for (int64_t first = 0; first < lanesOf(tile); first += width)
    parts.push_back(vector::ExtractStridedSliceOp::create(b, loc, tile, first, width, int64_t(1)));
  return parts;
}

Value joinTile(OpBuilder &b, Location loc, ArrayRef<Value> parts) {
  const int64_t width = lanesOf(parts.front());
  auto type = VectorType::get({width * static_cast<int64_t>(parts.size())},
                              getElementTypeOrSelf(parts.front().getType()));
  Value tile = constantOf(b, loc, type, b.getZeroAttr(type.getElementType()));
  for (auto [i, part] : llvm::enumerate(parts))
    tile = vector::InsertStridedSliceOp::create(b, loc, part, tile, int64_t(i) * width, int64_t(1));
  return tile;
}

Value scaledSum(OpBuilder &b, Location loc, ArrayRef<Value> indices, ArrayRef<int64_t> strides) {
  Value sum;
  for (auto [index, stride] : llvm::zip(indices, strides)) {
    Value term = index;
    if (stride != 1)
      term = arith::MulIOp::create(b, loc, index, integerLike(b, loc, index, stride));
    sum = sum ? Value(arith::AddIOp::create(b, loc, sum, term)) : term;
  }
  return sum;
}

Value elementAddress(OpBuilder &b, Location loc, Value base, Value index, Type element) {
  const int64_t lanes = std::max(lanesOf(base), lanesOf(index));
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  Type type = lanes ? Type(VectorType::get({lanes}, pointer)) : pointer;
  return LLVM::GEPOp::create(b, loc, type, memoryTypeOf(element), base, ValueRange{index});
}

} // namespace tilescope::cpu
