// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/ttg_to_llvm/common/Emit.h"
#include "compiler/conversion/ttg_to_llvm/common/Families.h"
#include "compiler/conversion/ttg_to_llvm/common/Scratch.h"
#include "compiler/conversion/ttg_to_llvm/control/FunctionLowering.h"
#include "compiler/conversion/ttg_to_llvm/control/WarpDispatch.h"
#include "compiler/conversion/ttg_to_llvm/memory/TensorMemory.h"
#include "compiler/dialects/ttng/ir/Dialect.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;

namespace tilescope::compiler {

static constexpr unsigned kSharedSpace = 3, kGlobalSpace = 1;

static bool isKernel(tt::FuncOp function) { return function.isPublic(); }

static Type packedResult(MLIRContext *context, ArrayRef<Type> types) {
  if (types.empty())
    return LLVM::LLVMVoidType::get(context);
  return types.size() == 1 ? types.front() : LLVM::LLVMStructType::getLiteral(context, types);
}

static SmallVector<Type, 8> expandAll(Lowering &lowering, TypeRange types) {
  SmallVector<Type, 8> result;
  for (Type type : types)
    llvm::append_range(result, lowering.expand(type));
  return result;
}

/// Descriptions of tensors are passed by value; bulk copies read them where they are.
static void describeTensorMaps(tt::FuncOp source, LLVM::LLVMFuncOp declared, Lowering &types) {
  OpBuilder builder(source);
  unsigned next = 0;
  for (Type type : source.getArgumentTypes()) {
    if (ttng::describedBlock(type)) {
      auto bytes = LLVM::LLVMArrayType::get(builder.getI8Type(), kTensorMapBytes);
      constexpr int64_t kAlignment = 64;
      declared.setArgAttr(next, "llvm.byval", TypeAttr::get(bytes));
      declared.setArgAttr(next, "llvm.align", builder.getI64IntegerAttr(kAlignment));
      declared.setArgAttr(next, "nvvm.grid_constant", builder.getUnitAttr());
    }
    next += types.expand(type).size();
  }
}

/// Whether anything in the module multiplies matrices.
static bool hasProducts(ModuleOp module) {
  return module
      .walk([](Operation *op) {
        return isa<tt::DotOp, ttng::WarpGroupDotOp, ttng::TCGen5MMAOp, ttng::TCGen5MMAScaledOp>(op)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Registers per thread, as far as the kernel says anything of them.
static void describeRegisters(LLVM::LLVMFuncOp kernel, ModuleOp module) {
  OpBuilder builder(kernel);
  if (auto limit = module->getAttrOfType<IntegerAttr>(ttg::kMaxRegistersAttr))
    kernel->setAttr("nvvm.maxnreg", builder.getI32IntegerAttr(limit.getInt()));
  else if (int registers = initialRegisters(module))
    kernel->setAttr("nvvm.maxnreg", builder.getI32IntegerAttr(registers));
  // Left alone, the assembler saves registers so that more blocks fit on a multiprocessor. A kernel
  // that waits for memory is better served by more loads under way.
  else if (!hasProducts(module))
    kernel->setAttr("nvvm.minctasm", builder.getI32IntegerAttr(1));
}

LLVM::LLVMFuncOp declareFunction(tt::FuncOp source, ModuleLowering &module) {
  MLIRContext *context = source.getContext();
  OpBuilder builder(source);
  auto pointer = LLVM::LLVMPointerType::get(context, kGlobalSpace);
  auto declared =
      LLVM::LLVMFuncOp::create(builder, source.getLoc(), source.getName(),
                               LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context), {}));
  // The types are expanded by the function's own lowering, which needs the function to exist.
  LoweringTable noOperations;
  Lowering types(module, noOperations, declared);
  SmallVector<Type, 8> arguments = expandAll(types, source.getArgumentTypes());
  if (!isKernel(source))
    arguments.push_back(LLVM::LLVMPointerType::get(context, kSharedSpace));
  arguments.append(2, pointer);
  Type result = packedResult(context, expandAll(types, source.getResultTypes()));
  declared.setFunctionType(LLVM::LLVMFunctionType::get(result, arguments));
  if (isKernel(source)) {
    declared->setAttr("nvvm.kernel", builder.getUnitAttr());
    declared->setAttr("nvvm.reqntid",
                      builder.getDenseI32ArrayAttr({totalWarps(module.module) * 32}));
    if (module.numCtas > 1)
      declared->setAttr("nvvm.cluster_dim", builder.getDenseI32ArrayAttr({module.numCtas}));
    describeRegisters(declared, module.module);
    describeTensorMaps(source, declared, types);
  } else {
    declared.setLinkage(LLVM::Linkage::Internal);
    declared.setNoInline(true);
  }
  return declared;
}

/// How many columns of tensor memory a kernel gets; 0 for none.
static int64_t tensorColumns(Lowering &lowering) {
  auto columns = lowering.module().module->getAttrOfType<IntegerAttr>(ttg::kTensorMemorySizeAttr);
  return columns && lowering.function()->hasAttr("nvvm.kernel") ? columns.getInt() : 0;
}

LogicalResult lowerFunction(tt::FuncOp source, LLVM::LLVMFuncOp target, ModuleLowering &module,
                            const LoweringTable &table) {
  Lowering lowering(module, table, target);
  // Blocks first, so that branches find them; then code, every value before its uses.
  llvm::ReversePostOrderTraversal<Region *> order(&source.getBody());
  for (Block *block : order) {
    Block *lowered = lowering.b.createBlock(&target.getBody(), target.getBody().end());
    lowering.blocks[block] = lowered;
    bool isEntry = block->isEntryBlock();
    for (BlockArgument argument : block->getArguments()) {
      Values values;
      for (Type type : lowering.expand(argument.getType()))
        values.push_back(lowered->addArgument(type, argument.getLoc()));
      lowering.set(argument, values);
    }
    if (isEntry)
      for (Type type : target.getArgumentTypes().drop_front(lowered->getNumArguments()))
        lowered->addArgument(type, target.getLoc());
  }
  if (const int64_t columns = tensorColumns(lowering)) {
    lowering.b.setInsertionPointToEnd(lowering.blocks[&source.getBody().front()]);
    lowering.setTensorMemory(allocateTensorMemory(lowering, columns));
  }
  std::optional<WarpDispatch> dispatch;
  if (source.walk([](ttg::WarpSpecializeOp) { return WalkResult::interrupt(); }).wasInterrupted()) {
    if (!isKernel(source))
      return source.emitError(
          "groups of warps in a function that is not inlined are not supported");
    Block *&entry = lowering.blocks[&source.getBody().front()];
    dispatch.emplace(lowering, source, entry);
    entry = dispatch->main();
    lowering.dispatch = &*dispatch;
  }
  for (Block *block : order) {
    lowering.b.setInsertionPointToEnd(lowering.blocks[block]);
    for (Operation &op : *block)
      if (failed(lowering.lower(&op)))
        return failure();
  }
  if (dispatch)
    dispatch->finish();
  return success();
}

static Values branchOperands(Lowering &lowering, ValueRange operands) {
  Values result;
  for (Value operand : operands)
    llvm::append_range(result, lowering.values(operand));
  return result;
}

static LogicalResult lowerBranch(cf::BranchOp op, Lowering &lowering) {
  LLVM::BrOp::create(lowering.b, branchOperands(lowering, op.getDestOperands()),
                     lowering.blocks[op.getDest()]);
  return success();
}

static LogicalResult lowerCondBranch(cf::CondBranchOp op, Lowering &lowering) {
  LLVM::CondBrOp::create(
      lowering.b, lowering.scalar(op.getCondition()), lowering.blocks[op.getTrueDest()],
      branchOperands(lowering, op.getTrueDestOperands()), lowering.blocks[op.getFalseDest()],
      branchOperands(lowering, op.getFalseDestOperands()));
  return success();
}

static LogicalResult lowerReturn(tt::ReturnOp op, Lowering &lowering) {
  Values results = branchOperands(lowering, op.getOperands());
  Builder &b = lowering.b;
  if (lowering.dispatch)
    lowering.dispatch->release();
  if (lowering.tensorMemory())
    freeTensorMemory(lowering, tensorColumns(lowering));
  if (results.size() > 1) {
    Value packed = LLVM::PoisonOp::create(b, lowering.function().getFunctionType().getReturnType());
    for (auto [index, value] : llvm::enumerate(results))
      packed = LLVM::InsertValueOp::create(b, packed, value, index);
    results = {packed};
  }
  LLVM::ReturnOp::create(b, results);
  return success();
}

static LogicalResult lowerCall(tt::CallOp op, Lowering &lowering) {
  Builder &b = lowering.b;
  auto callee = lowering.module().module.lookupSymbol<LLVM::LLVMFuncOp>(op.getCallee());
  if (!callee)
    return op.emitError("calls the unknown function `") << op.getCallee() << "`";
  Values operands = branchOperands(lowering, op.getOperands());
  operands.push_back(op->hasAttr(ttg::kAllocationOffsetAttr) ? lowering.sharedPointer(op)
                                                             : lowering.sharedBase());
  operands.push_back(lowering.globalScratch());
  operands.push_back(lowering.profileScratch());
  auto call = LLVM::CallOp::create(b, callee, operands);
  unsigned total = 0;
  for (Type type : op.getResultTypes())
    total += lowering.expand(type).size();
  unsigned next = 0;
  for (Value result : op.getResults()) {
    Values values;
    for (size_t i = 0, count = lowering.expand(result.getType()).size(); i < count; ++i, ++next)
      values.push_back(total == 1
                           ? call.getResult()
                           : LLVM::ExtractValueOp::create(b, call.getResult(), next).getResult());
    lowering.set(result, values);
  }
  return success();
}

static LogicalResult lowerWarpSpecialize(ttg::WarpSpecializeOp op, Lowering &lowering) {
  return lowering.dispatch->lower(op);
}

void addControlFlowLowerings(LoweringTable &table) {
  table.add<ttg::WarpSpecializeOp>(lowerWarpSpecialize);
  table.add<cf::BranchOp>(lowerBranch);
  table.add<cf::CondBranchOp>(lowerCondBranch);
  table.add<tt::ReturnOp>(lowerReturn);
  table.add<tt::CallOp>(lowerCall);
}

} // namespace tilescope::compiler
