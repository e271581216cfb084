// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/ttg_to_llvm/common/Emit.h"

#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace tilescope::compiler {

Value intConstant(Builder &b, Type type, int64_t value) {
  return LLVM::ConstantOp::create(b, type, b.getIntegerAttr(type, value));
}
Value i32Constant(Builder &b, int64_t value) { return intConstant(b, b.getI32Type(), value); }
Value i64Constant(Builder &b, int64_t value) { return intConstant(b, b.getI64Type(), value); }
Value floatConstant(Builder &b, Type type, double value) {
  return LLVM::ConstantOp::create(b, type, b.getFloatAttr(type, value));
}
Value zeroOf(Builder &b, Type type) { return LLVM::ZeroOp::create(b, type); }

Value callIntrinsic(Builder &b, StringRef name, Type result, ValueRange operands) {
  return LLVM::CallIntrinsicOp::create(b, result, b.getStringAttr(name), operands).getResult(0);
}
void callIntrinsic(Builder &b, StringRef name, ValueRange operands) {
  LLVM::CallIntrinsicOp::create(b, b.getStringAttr(name), operands);
}

Value callExternal(Builder &b, StringRef name, Type result, ValueRange operands) {
  Operation *around = b.getInsertionBlock()->getParentOp();
  auto module = around->getParentOfType<ModuleOp>();
  auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
  if (!function) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(module.getBody());
    Type returned = result ? result : LLVM::LLVMVoidType::get(b.getContext());
    auto type = LLVM::LLVMFunctionType::get(returned, SmallVector<Type>(operands.getTypes()));
    function = LLVM::LLVMFuncOp::create(b, name, type);
  }
  auto call = LLVM::CallOp::create(b, function, operands);
  return result ? call.getResult() : Value();
}

Value inlineAsm(Builder &b, StringRef text, StringRef constraints, Type result, ValueRange operands,
                AsmOptions options) {
  auto dialect = LLVM::AsmDialectAttr::get(b.getContext(), LLVM::AsmDialect::AD_ATT);
  Type returned = result ? result : LLVM::LLVMVoidType::get(b.getContext());
  auto op = LLVM::InlineAsmOp::create(b, returned, operands, text, constraints, options.sideEffects,
                                      /*is_align_stack=*/false, LLVM::TailCallKind::None, dialect,
                                      ArrayAttr());
  return result ? op->getResult(0) : Value();
}

Value applyBases(Builder &b, Value value, ArrayRef<uint64_t> bases) {
  // Bits that move by the same distance are handled together.
  llvm::SmallMapVector<int, uint64_t, 8> byShift;
  uint64_t allIn = 0;
  for (auto [bit, basis] : llvm::enumerate(bases)) {
    allIn |= uint64_t(1) << bit;
    for (uint64_t rest = basis; rest; rest &= rest - 1)
      byShift[llvm::countr_zero(rest) - int(bit)] |= uint64_t(1) << bit;
  }
  Value result;
  uint64_t reached = 0;
  for (auto [shift, mask] : byShift) {
    Value part = value;
    if (mask != allIn)
      part = LLVM::AndOp::create(b, part, i32Constant(b, mask));
    if (shift > 0)
      part = LLVM::ShlOp::create(b, part, i32Constant(b, shift));
    else if (shift < 0)
      part = LLVM::LShrOp::create(b, part, i32Constant(b, -shift));
    uint64_t bits = shift > 0 ? mask << shift : mask >> -shift;
    if (!result)
      result = part;
    else if (reached & bits)
      result = LLVM::XOrOp::create(b, result, part);
    else
      result = LLVM::OrOp::create(b, result, part, /*isDisjoint=*/true);
    reached |= bits;
  }
  return result;
}

Value bitcast(Builder &b, Value value, Type type) {
  if (value.getType() == type)
    return value;
  bool fromPointer = isa<LLVM::LLVMPointerType>(value.getType());
  bool toPointer = isa<LLVM::LLVMPointerType>(type);
  if (fromPointer && toPointer)
    return value;
  if (fromPointer)
    return LLVM::PtrToIntOp::create(b, type, value);
  if (toPointer)
    return LLVM::IntToPtrOp::create(b, type, value);
  return LLVM::BitcastOp::create(b, type, value);
}

Value packVector(Builder &b, ValueRange elements) {
  Type type = VectorType::get(elements.size(), elements.front().getType());
  Value vector = LLVM::PoisonOp::create(b, type);
  for (auto [index, element] : llvm::enumerate(elements))
    vector = LLVM::InsertElementOp::create(b, vector, element, i32Constant(b, index));
  return vector;
}

SmallVector<Value> unpackVector(Builder &b, Value vector) {
  SmallVector<Value> elements;
  for (int64_t index = 0; index < cast<VectorType>(vector.getType()).getNumElements(); ++index)
    elements.push_back(LLVM::ExtractElementOp::create(b, vector, i32Constant(b, index)));
  return elements;
}

Value elementPointer(Builder &b, Value base, Type type, Value index) {
  return LLVM::GEPOp::create(b, base.getType(), type, base, ValueRange(index));
}

Value advanceBytes(Builder &b, Value base, Value bytes) {
  return LLVM::GEPOp::create(b, base.getType(), b.getI8Type(), base, ValueRange(bytes));
}

Value advanceBytes(Builder &b, Value base, int64_t bytes) {
  if (bytes == 0)
    return base;
  return LLVM::GEPOp::create(b, base.getType(), b.getI8Type(), base,
                             ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(bytes)});
}

static Value shuffleWord(Builder &b, ShuffleMode mode, Value word, Value lane) {
  StringRef name = mode == ShuffleMode::Butterfly ? "llvm.nvvm.shfl.sync.bfly.i32"
                   : mode == ShuffleMode::Up      ? "llvm.nvvm.shfl.sync.up.i32"
                   : mode == ShuffleMode::Down    ? "llvm.nvvm.shfl.sync.down.i32"
                                                  : "llvm.nvvm.shfl.sync.idx.i32";
  Value clamp = i32Constant(b, mode == ShuffleMode::Up ? 0 : 31);
  return callIntrinsic(b, name, b.getI32Type(), {i32Constant(b, -1), word, lane, clamp});
}

/// A number that was widened without its sign. A condition is compared, not cut: of conditions cut
/// from a loaded vector LLVM makes a vector of single bits, which code generation takes apart again.
static Value narrow(Builder &b, Value value, Type type) {
  if (!type.isInteger(1))
    return LLVM::TruncOp::create(b, type, value);
  return LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::ne, value, zeroOf(b, value.getType()));
}

Value shuffle(Builder &b, ShuffleMode mode, Value value, Value lane) {
  Type type = value.getType();
  bool pointer = isa<LLVM::LLVMPointerType>(type);
  unsigned bits = pointer ? 64 : type.getIntOrFloatBitWidth();
  Type asInt = b.getIntegerType(bits);
  Value word = bitcast(b, value, asInt);
  if (bits < 32)
    word = LLVM::ZExtOp::create(b, b.getI32Type(), word);
  Value moved;
  if (bits <= 32) {
    moved = shuffleWord(b, mode, word, lane);
  } else {
    Value halves = bitcast(b, word, VectorType::get(2, b.getI32Type()));
    SmallVector<Value> movedHalves;
    for (Value half : unpackVector(b, halves))
      movedHalves.push_back(shuffleWord(b, mode, half, lane));
    moved = bitcast(b, packVector(b, movedHalves), asInt);
  }
  if (bits < 32)
    moved = narrow(b, moved, asInt);
  return bitcast(b, moved, type);
}

int64_t storageBytes(Type type) {
  if (isa<LLVM::LLVMPointerType>(type))
    return 8;
  return std::max<int64_t>(type.getIntOrFloatBitWidth() / 8, 1);
}

Type storageType(Type type) {
  if (isa<LLVM::LLVMPointerType>(type))
    return IntegerType::get(type.getContext(), 64);
  if (type.getIntOrFloatBitWidth() < 8)
    return IntegerType::get(type.getContext(), 8);
  return type;
}

Value toStorage(Builder &b, Value value) {
  Type type = storageType(value.getType());
  if (isa<IntegerType>(value.getType()) && value.getType() != type)
    return LLVM::ZExtOp::create(b, type, value);
  return bitcast(b, value, type);
}

Value fromStorage(Builder &b, Value value, Type type) {
  if (isa<IntegerType>(type) && value.getType() != type)
    return narrow(b, value, type);
  return bitcast(b, value, type);
}

} // namespace tilescope::compiler
