// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/tt_to_cpu/Avx512Math.h"

#include "compiler/conversion/tt_to_cpu/Vectors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

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

Value emitLookup(OpBuilder &b, Location loc, const std::array<float, 16> &table, Value numbers) {
  auto type = VectorType::get({kAvx512Lanes}, b.getF32Type());
  Value entries = arith::ConstantOp::create(
      b, loc, DenseElementsAttr::get(type, ArrayRef<float>(table.data(), table.size())));
  SmallVector<Value> parts;
  for (Value part : splitTile(b, loc, numbers, kAvx512Lanes))
    parts.push_back(call(b, loc, "llvm.x86.avx512.permvar.sf.512", {entries, part}));
  return joinTile(b, loc, parts);
}

} // namespace tilescope::cpu
