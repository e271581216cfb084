// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/tt_to_cpu/Avx512Math.h"

#include "compiler/conversion/tt_to_cpu/Vectors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace tilescope::cpu {

static Value call(OpBuilder &b, Location loc, StringRef name, ValueRange operands) {
  return LLVM::CallIntrinsicOp::create(b, loc, VectorType::get({kAvx512Lanes}, b.getF32Type()),
                                       b.getStringAttr(name), operands)
      .getResult(0);
}

Value emitScale(OpBuilder &b, Location loc, Value x, Value n) {
  // As the processor is set up to round.
  constexpr int64_t kCurrentRounding = 4;
  Value all = arith::ConstantIntOp::create(b, loc, -1, 16);
  Value rounding = arith::ConstantIntOp::create(b, loc, kCurrentRounding, 32);
  SmallVector<Value> parts;
  for (auto [part, power] :
       llvm::zip(splitTile(b, loc, x, kAvx512Lanes), splitTile(b, loc, n, kAvx512Lanes)))
    parts.push_back(
        call(b, loc, "llvm.x86.avx512.mask.scalef.ps.512", {part, power, part, all, rounding}));
  return joinTile(b, loc, parts);
}

Value emitRemainder(OpBuilder &b, Location loc, Value x, int binaryPlaces) {
  // Behind the point, to the nearest, and no exception where that is not exact.
  const int64_t how = (int64_t(binaryPlaces) << 4) | 8;
  constexpr int64_t kCurrentRounding = 4;
  Value places = arith::ConstantIntOp::create(b, loc, how, 32);
  Value all = arith::ConstantIntOp::create(b, loc, -1, 16);
  Value rounding = arith::ConstantIntOp::create(b, loc, kCurrentRounding, 32);
  SmallVector<Value> parts;
  for (Value part : splitTile(b, loc, x, kAvx512Lanes))
    parts.push_back(
        call(b, loc, "llvm.x86.avx512.mask.reduce.ps.512", {part, places, part, all, rounding}));
  return joinTile(b, loc, parts);
}

Value emitLookup(OpBuilder &b, Location loc, const std::array<float, 32> &table, Value numbers) {
  auto type = VectorType::get({kAvx512Lanes}, b.getF32Type());
  const auto entries = [&](ArrayRef<float> half) -> Value {
    return arith::ConstantOp::create(b, loc, DenseElementsAttr::get(type, half));
  };
  const ArrayRef<float> all(table);
  Value low = entries(all.take_front(kAvx512Lanes)), high = entries(all.drop_front(kAvx512Lanes));
  SmallVector<Value> parts;
  for (Value part : splitTile(b, loc, numbers, kAvx512Lanes))
    parts.push_back(call(b, loc, "llvm.x86.avx512.vpermi2var.ps.512", {low, part, high}));
  return joinTile(b, loc, parts);
}

/// Whether any lane is a denormal number (vfpclassps).
static Value hasDenormals(OpBuilder &b, Location loc, ArrayRef<Value> parts) {
  constexpr int64_t kDenormal = 0x20;
  const Type type = VectorType::get({kAvx512Lanes}, b.getI1Type());
  Value kind = arith::ConstantIntOp::create(b, loc, kDenormal, 32), any;
  for (Value part : parts) {
    Value lanes = LLVM::CallIntrinsicOp::create(b, loc, type,
                                                b.getStringAttr("llvm.x86.avx512.fpclass.ps.512"),
                                                ValueRange{part, kind})
                      .getResult(0);
    any = any ? Value(arith::OrIOp::create(b, loc, any, lanes)) : lanes;
  }
  return vector::ReductionOp::create(b, loc, vector::CombiningKind::OR, any);
}

Value emitRoundToBf16(OpBuilder &b, Location loc, Value tile) {
  const SmallVector<Value> parts = splitTile(b, loc, tile, kAvx512Lanes);
  const Type both = VectorType::get({2 * kAvx512Lanes}, b.getBF16Type());
  auto branch = scf::IfOp::create(
      b, loc, hasDenormals(b, loc, parts),
      [&](OpBuilder &inner, Location) {
        scf::YieldOp::create(inner, loc, narrowFloat(inner, loc, tile, b.getBF16Type()));
      },
      [&](OpBuilder &inner, Location) {
        SmallVector<Value> rounded;
        for (size_t i = 0; i < parts.size(); i += 2)
          rounded.push_back(LLVM::CallIntrinsicOp::create(
                                inner, loc, both,
                                b.getStringAttr("llvm.x86.avx512bf16.cvtne2ps2bf16.512"),
                                ValueRange{parts[i + 1], parts[i]})
                                .getResult(0));
        scf::YieldOp::create(inner, loc, joinTile(inner, loc, rounded));
      });
  return branch.getResult(0);
}

} // namespace tilescope::cpu
