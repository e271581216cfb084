// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Operations of `arith` and their like in `tt`: one LLVM operation per register.
#include "mlir/Dialect/Arith/IR/Arith.h"

#include "compiler/conversion/ttg_to_llvm/common/Emit.h"
#include "compiler/conversion/ttg_to_llvm/common/Families.h"

using namespace mlir;

namespace tilescope::compiler {

template <typename Op, typename Target>
static LogicalResult lowerDirectly(Op op, Lowering &lowering) {
  return lowerEach(op, lowering, [&](ValueRange operands) -> Value {
    return Target::create(lowering.b, operands.front().getType(), operands);
  });
}

/// The target's type is the result's.
template <typename Op, typename Target> static LogicalResult lowerCast(Op op, Lowering &lowering) {
  Type type = lowering.elementType(op.getType());
  return lowerEach(op, lowering, [&](ValueRange operands) -> Value {
    return Target::create(lowering.b, type, operands.front());
  });
}

/// Integer operations that may promise not to overflow.
template <typename Op, typename Target>
static LogicalResult lowerWithFlags(Op op, Lowering &lowering) {
  auto flags = LLVM::IntegerOverflowFlags::none;
  if (bitEnumContainsAll(op.getOverflowFlags(), arith::IntegerOverflowFlags::nsw))
    flags = flags | LLVM::IntegerOverflowFlags::nsw;
  if (bitEnumContainsAll(op.getOverflowFlags(), arith::IntegerOverflowFlags::nuw))
    flags = flags | LLVM::IntegerOverflowFlags::nuw;
  return lowerEach(op, lowering, [&](ValueRange operands) -> Value {
    return Target::create(lowering.b, operands[0], operands[1], flags);
  });
}

/// A number as an attribute of the type in which it is kept in registers.
static TypedAttr constantAttr(Builder &b, Type type, Attribute value) {
  if (auto number = dyn_cast<FloatAttr>(value); number && isa<IntegerType>(type))
    return b.getIntegerAttr(type, number.getValue().bitcastToAPInt());
  if (auto number = dyn_cast<IntegerAttr>(value))
    return b.getIntegerAttr(type, number.getValue().sextOrTrunc(type.getIntOrFloatBitWidth()));
  return cast<TypedAttr>(value);
}

/// A block of different values: each thread reads its elements from a table.
static LogicalResult lowerDenseConstant(arith::ConstantOp op, DenseElementsAttr elements,
                                        Lowering &lowering) {
  Builder &b = lowering.b;
  Type type = lowering.elementType(op.getType()), storage = storageType(type);
  SmallVector<Attribute> values;
  for (Attribute value : elements.getValues<Attribute>())
    values.push_back(constantAttr(b, storage, value));
  auto tensor = RankedTensorType::get({int64_t(values.size())}, storage);
  LLVM::GlobalOp table;
  {
    OpBuilder::InsertionGuard guard(b);
    ModuleOp module = lowering.module().module;
    b.setInsertionPointToStart(module.getBody());
    std::string name = "constant_" + std::to_string(lowering.module().numConstants++);
    table = LLVM::GlobalOp::create(b, LLVM::LLVMArrayType::get(storage, values.size()),
                                   /*isConstant=*/true, LLVM::Linkage::Internal, name,
                                   DenseElementsAttr::get(tensor, values), /*alignment=*/16,
                                   /*addrSpace=*/1);
  }
  Value base = LLVM::AddressOfOp::create(b, table);
  Values loaded;
  for (Value position : lowering.positions(lowering.layout(op.getType()))) {
    Value value = LLVM::LoadOp::create(b, storage, elementPointer(b, base, storage, position));
    loaded.push_back(fromStorage(b, value, type));
  }
  lowering.set(op, std::move(loaded));
  return success();
}

static LogicalResult lowerConstant(arith::ConstantOp op, Lowering &lowering) {
  Builder &b = lowering.b;
  Type type = lowering.elementType(op.getType());
  auto elements = dyn_cast<DenseElementsAttr>(op.getValue());
  if (elements && !elements.isSplat())
    return lowerDenseConstant(op, elements, lowering);
  Attribute number = elements ? elements.getSplatValue<Attribute>() : Attribute(op.getValue());
  Value value = LLVM::ConstantOp::create(b, type, constantAttr(b, type, number));
  lowering.set(op, Values(lowering.numRegisters(op.getType()), value));
  return success();
}

static LogicalResult lowerCmpI(arith::CmpIOp op, Lowering &lowering) {
  auto predicate = static_cast<LLVM::ICmpPredicate>(op.getPredicate());
  return lowerEach(op, lowering, [&](ValueRange operands) -> Value {
    return LLVM::ICmpOp::create(lowering.b, predicate, operands[0], operands[1]);
  });
}

static LogicalResult lowerCmpF(arith::CmpFOp op, Lowering &lowering) {
  auto predicate = static_cast<LLVM::FCmpPredicate>(op.getPredicate());
  return lowerEach(op, lowering, [&](ValueRange operands) -> Value {
    return LLVM::FCmpOp::create(lowering.b, predicate, operands[0], operands[1]);
  });
}

static LogicalResult lowerSelect(arith::SelectOp op, Lowering &lowering) {
  if (isa<ttg::MemDescType>(op.getType())) {
    Values values;
    for (auto [yes, no] :
         llvm::zip(lowering.values(op.getTrueValue()), lowering.values(op.getFalseValue())))
      values.push_back(
          LLVM::SelectOp::create(lowering.b, lowering.scalar(op.getCondition()), yes, no));
    lowering.set(op, std::move(values));
    return success();
  }
  return lowerEach(op, lowering, [&](ValueRange operands) -> Value {
    return LLVM::SelectOp::create(lowering.b, operands[0], operands[1], operands[2]);
  });
}

// The default division of 32-bit floats is the hardware's approximation, at most 2 ulp off.
static LogicalResult lowerDivF(arith::DivFOp op, Lowering &lowering) {
  return lowerEach(op, lowering, [&](ValueRange operands) -> Value {
    Type type = operands[0].getType();
    if (type.isF32())
      return callIntrinsic(lowering.b, "llvm.nvvm.div.full", type, operands);
    return LLVM::FDivOp::create(lowering.b, operands[0], operands[1]);
  });
}

static LogicalResult lowerPreciseDivF(tt::PreciseDivFOp op, Lowering &lowering) {
  return lowerEach(op, lowering, [&](ValueRange operands) -> Value {
    Type type = operands[0].getType();
    if (type.isF32())
      return callIntrinsic(lowering.b, "llvm.nvvm.div.rn.f", type, operands);
    return LLVM::FDivOp::create(lowering.b, operands[0], operands[1]);
  });
}

static LogicalResult lowerRemF(arith::RemFOp op, Lowering &lowering) {
  return lowerEach(op, lowering, [&](ValueRange operands) -> Value {
    Builder &b = lowering.b;
    Type type = operands[0].getType();
    if (type.isF64())
      return callExternal(b, "__nv_fmod", type, operands);
    Value x = operands[0], y = operands[1];
    if (type.isF32())
      return callExternal(b, "__nv_fmodf", type, {x, y});
    Value wide = callExternal(
        b, "__nv_fmodf", b.getF32Type(),
        {LLVM::FPExtOp::create(b, b.getF32Type(), x), LLVM::FPExtOp::create(b, b.getF32Type(), y)});
    return LLVM::FPTruncOp::create(b, type, wide);
  });
}

static LogicalResult lowerBitcastArith(arith::BitcastOp op, Lowering &lowering) {
  return lowerEach(op, lowering, [&](ValueRange operands) {
    return bitcast(lowering.b, operands.front(), lowering.elementType(op.getType()));
  });
}

static LogicalResult lowerBitcast(tt::BitcastOp op, Lowering &lowering) {
  return lowerEach(op, lowering, [&](ValueRange operands) {
    return bitcast(lowering.b, operands.front(), lowering.elementType(op.getType()));
  });
}

static LogicalResult lowerIndexCast(arith::IndexCastOp op, Lowering &lowering) {
  Type type = lowering.elementType(op.getType());
  return lowerEach(op, lowering, [&](ValueRange operands) -> Value {
    Value value = operands.front();
    unsigned from = value.getType().getIntOrFloatBitWidth(), to = type.getIntOrFloatBitWidth();
    if (from == to)
      return value;
    if (from > to)
      return LLVM::TruncOp::create(lowering.b, type, value);
    return LLVM::SExtOp::create(lowering.b, type, value);
  });
}

static LogicalResult lowerAddPtr(tt::AddPtrOp op, Lowering &lowering) {
  auto pointer = cast<tt::PointerType>(getElementTypeOrSelf(op.getType()));
  Type pointee = storageType(lowering.elementType(pointer.getPointeeType()));
  return lowerEach(op, lowering, [&](ValueRange operands) -> Value {
    return elementPointer(lowering.b, operands[0], pointee, operands[1]);
  });
}

static LogicalResult lowerMulHi(tt::MulhiUIOp op, Lowering &lowering) {
  return lowerEach(op, lowering, [&](ValueRange operands) -> Value {
    Builder &b = lowering.b;
    Type type = operands[0].getType();
    unsigned bits = type.getIntOrFloatBitWidth();
    if (bits == 32 || bits == 64)
      return callIntrinsic(b, bits == 32 ? "llvm.nvvm.mulhi.ui" : "llvm.nvvm.mulhi.ull", type,
                           operands);
    Type wide = b.getIntegerType(2 * bits);
    Value product = LLVM::MulOp::create(b, LLVM::ZExtOp::create(b, wide, operands[0]),
                                        LLVM::ZExtOp::create(b, wide, operands[1]));
    return LLVM::TruncOp::create(b, type,
                                 LLVM::LShrOp::create(b, product, intConstant(b, wide, bits)));
  });
}

template <typename Op, typename Extend>
static LogicalResult lowerMulExtended(Op op, Lowering &lowering) {
  Builder &b = lowering.b;
  Values low, high;
  for (auto [x, y] : llvm::zip(lowering.values(op.getLhs()), lowering.values(op.getRhs()))) {
    Type type = x.getType();
    unsigned bits = type.getIntOrFloatBitWidth();
    Type wide = b.getIntegerType(2 * bits);
    Value product = LLVM::MulOp::create(b, Extend::create(b, wide, x), Extend::create(b, wide, y));
    low.push_back(LLVM::TruncOp::create(b, type, product));
    high.push_back(LLVM::TruncOp::create(
        b, type, LLVM::LShrOp::create(b, product, intConstant(b, wide, bits))));
  }
  lowering.set(op->getResult(0), std::move(low));
  lowering.set(op->getResult(1), std::move(high));
  return success();
}

/// Quotients that are rounded up or down instead of to zero.
template <typename Op> static LogicalResult lowerRoundedDiv(Op op, Lowering &lowering) {
  constexpr bool isUp = !std::is_same_v<Op, arith::FloorDivSIOp>;
  constexpr bool isSigned = !std::is_same_v<Op, arith::CeilDivUIOp>;
  Builder &b = lowering.b;
  return lowerEach(op, lowering, [&](ValueRange in) -> Value {
    Type type = in[0].getType();
    Value zero = intConstant(b, type, 0), quotient, rest;
    if (isSigned) {
      quotient = LLVM::SDivOp::create(b, in[0], in[1]);
      rest = LLVM::SRemOp::create(b, in[0], in[1]);
    } else {
      quotient = LLVM::UDivOp::create(b, in[0], in[1]);
      rest = LLVM::URemOp::create(b, in[0], in[1]);
    }
    Value isOff = LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::ne, rest, zero);
    if (isSigned) {
      // Towards zero is down where the signs agree, and up where they differ.
      Value signs = LLVM::XOrOp::create(b, in[0], in[1]);
      const auto wanted = isUp ? LLVM::ICmpPredicate::sge : LLVM::ICmpPredicate::slt;
      isOff = LLVM::AndOp::create(b, isOff, LLVM::ICmpOp::create(b, wanted, signs, zero));
    }
    Value one = LLVM::ZExtOp::create(b, type, isOff);
    return isUp ? LLVM::AddOp::create(b, quotient, one).getResult()
                : LLVM::SubOp::create(b, quotient, one).getResult();
  });
}

void addArithLowerings(LoweringTable &table) {
  table.add<arith::ConstantOp>(lowerConstant);
  table.add<arith::AddIOp>(lowerWithFlags<arith::AddIOp, LLVM::AddOp>);
  table.add<arith::SubIOp>(lowerWithFlags<arith::SubIOp, LLVM::SubOp>);
  table.add<arith::MulIOp>(lowerWithFlags<arith::MulIOp, LLVM::MulOp>);
  table.add<arith::ShLIOp>(lowerWithFlags<arith::ShLIOp, LLVM::ShlOp>);
  table.add<arith::DivSIOp>(lowerDirectly<arith::DivSIOp, LLVM::SDivOp>);
  table.add<arith::DivUIOp>(lowerDirectly<arith::DivUIOp, LLVM::UDivOp>);
  table.add<arith::CeilDivSIOp>(lowerRoundedDiv<arith::CeilDivSIOp>);
  table.add<arith::CeilDivUIOp>(lowerRoundedDiv<arith::CeilDivUIOp>);
  table.add<arith::FloorDivSIOp>(lowerRoundedDiv<arith::FloorDivSIOp>);
  table.add<arith::RemSIOp>(lowerDirectly<arith::RemSIOp, LLVM::SRemOp>);
  table.add<arith::RemUIOp>(lowerDirectly<arith::RemUIOp, LLVM::URemOp>);
  table.add<arith::AndIOp>(lowerDirectly<arith::AndIOp, LLVM::AndOp>);
  table.add<arith::OrIOp>(lowerDirectly<arith::OrIOp, LLVM::OrOp>);
  table.add<arith::XOrIOp>(lowerDirectly<arith::XOrIOp, LLVM::XOrOp>);
  table.add<arith::ShRSIOp>(lowerDirectly<arith::ShRSIOp, LLVM::AShrOp>);
  table.add<arith::ShRUIOp>(lowerDirectly<arith::ShRUIOp, LLVM::LShrOp>);
  table.add<arith::MaxSIOp>(lowerDirectly<arith::MaxSIOp, LLVM::SMaxOp>);
  table.add<arith::MinSIOp>(lowerDirectly<arith::MinSIOp, LLVM::SMinOp>);
  table.add<arith::MaxUIOp>(lowerDirectly<arith::MaxUIOp, LLVM::UMaxOp>);
  table.add<arith::MinUIOp>(lowerDirectly<arith::MinUIOp, LLVM::UMinOp>);
  table.add<arith::MulSIExtendedOp>(lowerMulExtended<arith::MulSIExtendedOp, LLVM::SExtOp>);
  table.add<arith::MulUIExtendedOp>(lowerMulExtended<arith::MulUIExtendedOp, LLVM::ZExtOp>);
  table.add<arith::AddFOp>(lowerDirectly<arith::AddFOp, LLVM::FAddOp>);
  table.add<arith::SubFOp>(lowerDirectly<arith::SubFOp, LLVM::FSubOp>);
  table.add<arith::MulFOp>(lowerDirectly<arith::MulFOp, LLVM::FMulOp>);
  table.add<arith::NegFOp>(lowerDirectly<arith::NegFOp, LLVM::FNegOp>);
  table.add<arith::DivFOp>(lowerDivF);
  table.add<arith::RemFOp>(lowerRemF);
  table.add<arith::CmpIOp>(lowerCmpI);
  table.add<arith::CmpFOp>(lowerCmpF);
  table.add<arith::SelectOp>(lowerSelect);
  table.add<arith::ExtSIOp>(lowerCast<arith::ExtSIOp, LLVM::SExtOp>);
  table.add<arith::ExtUIOp>(lowerCast<arith::ExtUIOp, LLVM::ZExtOp>);
  table.add<arith::TruncIOp>(lowerCast<arith::TruncIOp, LLVM::TruncOp>);
  table.add<arith::FPToSIOp>(lowerCast<arith::FPToSIOp, LLVM::FPToSIOp>);
  table.add<arith::FPToUIOp>(lowerCast<arith::FPToUIOp, LLVM::FPToUIOp>);
  table.add<arith::BitcastOp>(lowerBitcastArith);
  table.add<arith::IndexCastOp>(lowerIndexCast);
  table.add<tt::BitcastOp>(lowerBitcast);
  table.add<tt::IntToPtrOp>(lowerCast<tt::IntToPtrOp, LLVM::IntToPtrOp>);
  table.add<tt::PtrToIntOp>(lowerCast<tt::PtrToIntOp, LLVM::PtrToIntOp>);
  table.add<tt::AddPtrOp>(lowerAddPtr);
  table.add<tt::MulhiUIOp>(lowerMulHi);
  table.add<tt::PreciseDivFOp>(lowerPreciseDivF);
}

} // namespace tilescope::compiler
