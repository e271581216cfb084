// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/Tf32Factors.h"

#include "compiler/dialects/tt/ir/Dialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

namespace tilescope::compiler {

static bool isTf32(tt::DotOp dot) {
  return getElementTypeOrSelf(dot.getA().getType()).isF32() &&
         dot.getInputPrecision() == tt::InputPrecision::TF32;
}

/// As `interpreter::truncateToTf32` does: 10 bits of mantissa; what is no number stays.
static Value truncated(OpBuilder &b, Location loc, Value factor) {
  constexpr int64_t kExponent = 0x7f800000, kKept = ~int64_t{0x1fff} & 0xffffffff;
  auto type = cast<RankedTensorType>(factor.getType());
  const Type words = type.clone(b.getI32Type());
  const auto constant = [&](int64_t bits) -> Value {
    const auto attribute =
        DenseElementsAttr::get(cast<ShapedType>(words), APInt(32, static_cast<uint64_t>(bits)));
    return arith::ConstantOp::create(b, loc, attribute);
  };
  const Value exponent = constant(kExponent);
  const Value bits = tt::BitcastOp::create(b, loc, words, factor);
  const Value isNoNumber = arith::CmpIOp::create(
      b, loc, arith::CmpIPredicate::eq, arith::AndIOp::create(b, loc, bits, exponent), exponent);
  const Value kept =
      tt::BitcastOp::create(b, loc, type, arith::AndIOp::create(b, loc, bits, constant(kKept)));
  return arith::SelectOp::create(b, loc, isNoNumber, factor, kept);
}

OwningOpRef<ModuleOp> withTf32Factors(ModuleOp ttir) {
  bool hasAny = false;
  ttir.walk([&](tt::DotOp dot) { hasAny |= isTf32(dot); });
  if (!hasAny)
    return {};
  OwningOpRef<ModuleOp> copy = ttir.clone();
  copy->walk([](tt::DotOp dot) {
    if (!isTf32(dot))
      return;
    OpBuilder b(dot);
    dot.getAMutable().assign(truncated(b, dot.getLoc(), dot.getA()));
    dot.getBMutable().assign(truncated(b, dot.getLoc(), dot.getB()));
    dot.setInputPrecision(tt::InputPrecision::IEEE);
  });
  return copy;
}

} // namespace tilescope::compiler
