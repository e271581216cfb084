// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Unpacking of 4-bit floats (1 sign, 2 exponent, 1 mantissa bit), two to a byte.
#include "compiler/conversion/ttg_to_llvm/common/Emit.h"
#include "compiler/conversion/ttg_to_llvm/common/Families.h"
#include "compiler/conversion/ttg_to_llvm/common/RegisterMatch.h"

using namespace mlir;

namespace tilescope::compiler {

/// The value of the low four bits of `byte`: its bits at the top of the wider type's mantissa and
/// the bottom of its exponent make a number that is too small by a power of two.
static Value decode(Builder &b, Value byte, FloatType type) {
  const llvm::fltSemantics &format = type.getFloatSemantics();
  unsigned width = type.getWidth(), mantissaBits = llvm::APFloat::semanticsPrecision(format) - 1;
  Type word = b.getIntegerType(width);
  Value bits = width > 8 ? LLVM::ZExtOp::create(b, word, byte).getResult() : byte;
  auto field = [&](int64_t mask, unsigned shift) -> Value {
    Value part = LLVM::AndOp::create(b, bits, intConstant(b, word, mask));
    return LLVM::ShlOp::create(b, part, intConstant(b, word, shift));
  };
  Value small = LLVM::OrOp::create(b, field(7, mantissaBits - 1), field(8, width - 4));
  int exponent = llvm::APFloat::semanticsMaxExponent(format) - 1;
  Value scale = floatConstant(b, type, std::ldexp(1.0, exponent));
  return LLVM::FMulOp::create(b, bitcast(b, small, type), scale);
}

static LogicalResult lowerFp4ToFp(ttg::Fp4ToFpOp op, Lowering &lowering) {
  Builder &b = lowering.b;
  auto source = cast<RankedTensorType>(op.getSrc().getType());
  auto type = cast<FloatType>(getElementTypeOrSelf(op.getType()));
  // Row-major index of a result's element = (before * 2 * extent + along) * after + rest.
  uint64_t after = 1;
  for (int dim = op.getAxis() + 1; dim < source.getRank(); ++dim)
    after *= source.getDimSize(dim);
  LinearLayout result = lowering.layout(op.getType()).canonicalOuts();
  auto match = matchRegisters(lowering.layout(source), result, [&](uint64_t element) {
    return element / (2 * after) * after + element % after;
  });
  if (failed(match))
    return op.emitError("the layouts of `ttg.fp4_to_fp` would need a data movement");
  Values values;
  for (auto [index, from] : llvm::enumerate(*match)) {
    Value byte = lowering.values(op.getSrc())[from];
    if (result.applyPacked(index) / after % 2)
      byte = LLVM::LShrOp::create(b, byte, intConstant(b, b.getI8Type(), 4));
    values.push_back(decode(b, byte, type));
  }
  lowering.set(op, std::move(values));
  return success();
}

void addFp4Lowerings(LoweringTable &table) { table.add<ttg::Fp4ToFpOp>(lowerFp4ToFp); }

} // namespace tilescope::compiler
