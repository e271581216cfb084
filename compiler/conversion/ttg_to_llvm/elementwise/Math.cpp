// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Functions of `math` and the floating-point functions of `tt`: instructions where the hardware has
// them in the wanted precision, libdevice otherwise.
#include "mlir/Dialect/Math/IR/Math.h"

#include "compiler/conversion/ttg_to_llvm/common/Emit.h"
#include "compiler/conversion/ttg_to_llvm/common/Families.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tilescope::compiler {

/// Applies `compute` in f32 to 16-bit floats, directly to others.
static Value inF32(Builder &b, ValueRange operands, llvm::function_ref<Value(ValueRange)> compute) {
  Type type = operands.front().getType();
  if (!type.isF16() && !type.isBF16())
    return compute(operands);
  SmallVector<Value> wide;
  for (Value operand : operands)
    wide.push_back(LLVM::FPExtOp::create(b, b.getF32Type(), operand));
  return LLVM::FPTruncOp::create(b, type, compute(wide));
}

/// A function of libdevice: `__nv_NAME` on f64, `__nv_NAMEf` on f32.
template <typename Op> static LogicalResult lowerLibdevice(Op op, Lowering &lowering) {
  // The operation's name, without its dialect, is libdevice's but for these.
  StringRef name = op->getName().stripDialect();
  if (name == "powf")
    name = "pow";
  else if (name == "absf")
    name = "fabs";
  std::string symbol = ("__nv_" + name).str();
  Builder &b = lowering.b;
  return lowerEach(op, lowering, [&](ValueRange operands) {
    return inF32(b, operands, [&](ValueRange wide) {
      Type type = wide.front().getType();
      return callExternal(b, type.isF64() ? symbol : symbol + "f", type, wide);
    });
  });
}

template <typename Op, typename Target>
static LogicalResult lowerIntrinsic(Op op, Lowering &lowering) {
  return lowerEach(op, lowering, [&](ValueRange operands) -> Value {
    return Target::create(lowering.b, operands.front().getType(), operands);
  });
}

/// An instruction for f32, libdevice for f64.
static LogicalResult lowerApproximate(Operation *op, Lowering &lowering, StringRef intrinsic,
                                      StringRef wideSymbol) {
  Builder &b = lowering.b;
  return lowerEach(op, lowering, [&](ValueRange operands) {
    return inF32(b, operands, [&](ValueRange wide) {
      Type type = wide.front().getType();
      return type.isF64() ? callExternal(b, wideSymbol, type, wide)
                          : callIntrinsic(b, intrinsic, type, wide);
    });
  });
}

static LogicalResult lowerExp(math::ExpOp op, Lowering &lowering) {
  static constexpr double kLog2E = 1.4426950408889634;
  Builder &b = lowering.b;
  return lowerEach(op, lowering, [&](ValueRange operands) {
    return inF32(b, operands, [&](ValueRange wide) -> Value {
      Type type = wide.front().getType();
      if (type.isF64())
        return callExternal(b, "__nv_exp", type, wide);
      Value scaled = LLVM::FMulOp::create(b, wide.front(), floatConstant(b, type, kLog2E));
      return callIntrinsic(b, "llvm.nvvm.ex2.approx.f32", type, {scaled});
    });
  });
}

static LogicalResult lowerExp2(math::Exp2Op op, Lowering &lowering) {
  return lowerApproximate(op, lowering, "llvm.nvvm.ex2.approx.ftz.f32", "__nv_exp2");
}
static LogicalResult lowerRsqrt(math::RsqrtOp op, Lowering &lowering) {
  return lowerApproximate(op, lowering, "llvm.nvvm.rsqrt.approx.ftz.f", "__nv_rsqrt");
}
static LogicalResult lowerSqrt(math::SqrtOp op, Lowering &lowering) {
  return lowerApproximate(op, lowering, "llvm.nvvm.sqrt.approx.ftz.f", "__nv_sqrt");
}

static LogicalResult lowerPreciseSqrt(tt::PreciseSqrtOp op, Lowering &lowering) {
  Builder &b = lowering.b;
  return lowerEach(op, lowering, [&](ValueRange operands) {
    return inF32(b, operands, [&](ValueRange wide) {
      Type type = wide.front().getType();
      return callIntrinsic(b, type.isF64() ? "llvm.nvvm.sqrt.rn.d" : "llvm.nvvm.sqrt.rn.f", type,
                           wide);
    });
  });
}

static LogicalResult lowerAbsI(math::AbsIOp op, Lowering &lowering) {
  return lowerEach(op, lowering, [&](ValueRange operands) -> Value {
    return LLVM::AbsOp::create(lowering.b, operands[0].getType(), operands[0], false);
  });
}

template <typename Op, typename Target>
static LogicalResult lowerMinMax(Op op, Lowering &lowering) {
  return lowerEach(op, lowering, [&](ValueRange operands) -> Value {
    return Target::create(lowering.b, operands[0], operands[1]);
  });
}

static LogicalResult lowerClamp(tt::ClampFOp op, Lowering &lowering) {
  Builder &b = lowering.b;
  bool keepNan = op.getPropagateNan() == tt::PropagateNan::ALL;
  return lowerEach(op, lowering, [&](ValueRange operands) -> Value {
    if (keepNan) {
      Value low = LLVM::MaximumOp::create(b, operands[0], operands[1]);
      return LLVM::MinimumOp::create(b, low, operands[2]);
    }
    Value low = LLVM::MaxNumOp::create(b, operands[0], operands[1]);
    return LLVM::MinNumOp::create(b, low, operands[2]);
  });
}

void addMathLowerings(LoweringTable &table) {
  table.add<math::ExpOp>(lowerExp);
  table.add<math::Exp2Op>(lowerExp2);
  table.add<math::SqrtOp>(lowerSqrt);
  table.add<math::RsqrtOp>(lowerRsqrt);
  table.add<math::LogOp>(lowerLibdevice<math::LogOp>);
  table.add<math::Log2Op>(lowerLibdevice<math::Log2Op>);
  table.add<math::Log10Op>(lowerLibdevice<math::Log10Op>);
  table.add<math::Log1pOp>(lowerLibdevice<math::Log1pOp>);
  table.add<math::ExpM1Op>(lowerLibdevice<math::ExpM1Op>);
  table.add<math::SinOp>(lowerLibdevice<math::SinOp>);
  table.add<math::CosOp>(lowerLibdevice<math::CosOp>);
  table.add<math::TanOp>(lowerLibdevice<math::TanOp>);
  table.add<math::AsinOp>(lowerLibdevice<math::AsinOp>);
  table.add<math::AcosOp>(lowerLibdevice<math::AcosOp>);
  table.add<math::AtanOp>(lowerLibdevice<math::AtanOp>);
  table.add<math::Atan2Op>(lowerLibdevice<math::Atan2Op>);
  table.add<math::SinhOp>(lowerLibdevice<math::SinhOp>);
  table.add<math::CoshOp>(lowerLibdevice<math::CoshOp>);
  table.add<math::TanhOp>(lowerLibdevice<math::TanhOp>);
  table.add<math::ErfOp>(lowerLibdevice<math::ErfOp>);
  table.add<math::CbrtOp>(lowerLibdevice<math::CbrtOp>);
  table.add<math::PowFOp>(lowerLibdevice<math::PowFOp>);
  table.add<math::RoundEvenOp>(lowerIntrinsic<math::RoundEvenOp, LLVM::RoundEvenOp>);
  table.add<math::FloorOp>(lowerIntrinsic<math::FloorOp, LLVM::FFloorOp>);
  table.add<math::CeilOp>(lowerIntrinsic<math::CeilOp, LLVM::FCeilOp>);
  table.add<math::TruncOp>(lowerIntrinsic<math::TruncOp, LLVM::FTruncOp>);
  table.add<math::AbsFOp>(lowerIntrinsic<math::AbsFOp, LLVM::FAbsOp>);
  table.add<math::FmaOp>(lowerIntrinsic<math::FmaOp, LLVM::FMAOp>);
  table.add<math::AbsIOp>(lowerAbsI);
  table.add<arith::MaximumFOp>(lowerMinMax<arith::MaximumFOp, LLVM::MaximumOp>);
  table.add<arith::MinimumFOp>(lowerMinMax<arith::MinimumFOp, LLVM::MinimumOp>);
  table.add<arith::MaxNumFOp>(lowerMinMax<arith::MaxNumFOp, LLVM::MaxNumOp>);
  table.add<arith::MinNumFOp>(lowerMinMax<arith::MinNumFOp, LLVM::MinNumOp>);
  table.add<tt::PreciseSqrtOp>(lowerPreciseSqrt);
  table.add<tt::ClampFOp>(lowerClamp);
}

} // namespace tilescope::compiler
