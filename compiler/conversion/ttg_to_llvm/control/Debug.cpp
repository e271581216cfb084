// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Printing and assertions, through the functions that the CUDA runtime provides on the device.
#include "compiler/conversion/ttg_to_llvm/common/Emit.h"
#include "compiler/conversion/ttg_to_llvm/common/Families.h"
#include "compiler/conversion/ttg_to_llvm/elementwise/Fp8InSoftware.h"

using namespace mlir;

namespace tilescope::compiler {

/// A pointer to a constant string, generic address space.
static Value stringPointer(Lowering &lowering, StringRef text) {
  Builder &b = lowering.b;
  ModuleLowering &module = lowering.module();
  LLVM::GlobalOp &global = module.strings[text];
  if (!global) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(module.module.getBody());
    std::string content = text.str();
    content.push_back('\0');
    auto type = LLVM::LLVMArrayType::get(b.getI8Type(), content.size());
    global = LLVM::GlobalOp::create(b, type, /*isConstant=*/true, LLVM::Linkage::Internal,
                                    "string_" + std::to_string(module.strings.size()),
                                    b.getStringAttr(content));
  }
  return LLVM::AddressOfOp::create(b, global);
}

static void callPrintf(Lowering &lowering, StringRef format, ValueRange arguments) {
  Builder &b = lowering.b;
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  Value packed = zeroOf(b, pointer);
  if (!arguments.empty()) {
    Type type =
        LLVM::LLVMStructType::getLiteral(b.getContext(), SmallVector<Type>(arguments.getTypes()));
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(&lowering.function().getBody().front());
      packed = LLVM::AllocaOp::create(b, pointer, type, i32Constant(b, 1), 8);
    }
    for (auto [index, argument] : llvm::enumerate(arguments)) {
      Value field = LLVM::GEPOp::create(b, pointer, type, packed,
                                        ArrayRef<LLVM::GEPArg>{0, static_cast<int32_t>(index)});
      LLVM::StoreOp::create(b, argument, field);
    }
  }
  callExternal(b, "vprintf", b.getI32Type(), {stringPointer(lowering, format), packed});
}

/// The value as C passes it to printf, and how printf writes it.
static std::pair<Value, std::string> printable(Builder &b, Value value, Type type, bool hex,
                                               bool isSigned) {
  if (isa<LLVM::LLVMPointerType>(value.getType()))
    return {bitcast(b, value, b.getI64Type()), "0x%016llx"};
  unsigned bits = value.getType().getIntOrFloatBitWidth();
  if (auto fp8 = dyn_cast<FloatType>(getElementTypeOrSelf(type)); fp8 && bits == 8)
    value = decodeFp8(b, value, fp8);
  if (isa<FloatType>(value.getType())) {
    Value wide = value.getType().isF64()
                     ? value
                     : LLVM::FPExtOp::create(b, b.getF64Type(), value).getResult();
    return {wide, hex ? "%a" : "%f"};
  }
  if (hex) {
    if (bits < 32)
      value = LLVM::ZExtOp::create(b, b.getI32Type(), value);
    return {value, "0x%0" + std::to_string(std::max(bits / 4, 1u)) + (bits > 32 ? "llx" : "x")};
  }
  if (bits < 32)
    value = isSigned ? LLVM::SExtOp::create(b, b.getI32Type(), value).getResult()
                     : LLVM::ZExtOp::create(b, b.getI32Type(), value).getResult();
  return {value, std::string(bits > 32 ? "%ll" : "%") + (isSigned ? "i" : "u")};
}

/// Text that printf writes as it is.
static std::string withoutConversions(StringRef text) {
  std::string format;
  for (char letter : text)
    format += letter == '%' ? std::string("%%") : std::string(1, letter);
  return format;
}

static LogicalResult lowerPrint(tt::PrintOp op, Lowering &lowering) {
  Builder &b = lowering.b;
  const std::string prefix = withoutConversions(op.getPrefix());
  Values place;
  for (int axis : {0, 1, 2})
    place.push_back(lowering.programId(axis));
  std::string where = "pid (%u, %u, %u)";
  if (op.getArgs().empty()) {
    Value once = executesOnce(lowering, Type());
    lowering.emitIf(once, [&] { callPrintf(lowering, where + prefix + "\n", place); });
    return success();
  }
  for (auto [operand, argument] : llvm::enumerate(op.getArgs())) {
    Type type = argument.getType();
    bool isSigned = operand < op.getIsSigned().size() && op.getIsSigned()[operand];
    auto printAll = [&] {
      SmallVector<Values> coordinates;
      if (auto tensor = dyn_cast<RankedTensorType>(type))
        for (int dim = 0; dim < tensor.getRank(); ++dim)
          coordinates.push_back(lowering.coordinates(lowering.layout(tensor), tensorDim(dim)));
      for (auto [index, value] : llvm::enumerate(lowering.values(argument))) {
        Values arguments = place;
        std::string format = where + " idx (";
        for (auto [dim, values] : llvm::enumerate(coordinates)) {
          format += dim ? ", %u" : "%u";
          arguments.push_back(values[index]);
        }
        auto [printed, conversion] = printable(b, value, type, op.getHex(), isSigned);
        arguments.push_back(printed);
        format += ")" + prefix;
        if (op.getArgs().size() > 1)
          format += "(operand " + std::to_string(operand) + ") ";
        callPrintf(lowering, format + conversion + "\n", arguments);
      }
    };
    if (Value once = executesOnce(lowering, type))
      lowering.emitIf(once, printAll);
    else
      printAll();
  }
  return success();
}

static LogicalResult lowerAssert(tt::AssertOp op, Lowering &lowering) {
  Builder &b = lowering.b;
  Value failed;
  for (Value condition : lowering.values(op.getCondition())) {
    Value no =
        LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::eq, condition, zeroOf(b, condition.getType()));
    failed = failed ? LLVM::OrOp::create(b, failed, no).getResult() : no;
  }
  StringRef file = "unknown";
  int64_t line = 0;
  op.getLoc()->walk([&](Location loc) {
    if (auto place = dyn_cast<FileLineColLoc>(loc)) {
      file = place.getFilename();
      line = place.getLine();
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  lowering.emitIf(failed, [&] {
    callExternal(b, "__assertfail", {},
                 {stringPointer(lowering, op.getMessage()), stringPointer(lowering, file),
                  i32Constant(b, line), stringPointer(lowering, lowering.function().getName()),
                  i64Constant(b, 1)});
  });
  // No thread goes on to what the assertion protects before all have passed it.
  if (isa<RankedTensorType>(op.getCondition().getType()))
    lowering.barrier();
  return success();
}

void addDebugLowerings(LoweringTable &table) {
  table.add<tt::PrintOp>(lowerPrint);
  table.add<tt::AssertOp>(lowerAssert);
}

} // namespace tilescope::compiler
