// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/tt_to_cpu/Support.h"

#include "compiler/conversion/tt_to_cpu/Calls.h"
#include "compiler/conversion/tt_to_cpu/Elementwise.h"
#include "compiler/conversion/tt_to_cpu/Vectors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;

namespace tilescope::cpu {

/// Numbers that are not the same everywhere would need memory of their own.
static bool isKnownConstant(Operation *op) {
  auto constant = dyn_cast<arith::ConstantOp>(op);
  if (!constant)
    return isa<ub::PoisonOp>(op);
  auto elements = dyn_cast<ElementsAttr>(constant.getValue());
  return !elements || elements.isSplat();
}

bool isDeferred(Operation *op) {
  if (op->getNumResults() != 1 || !isa<RankedTensorType>(op->getResult(0).getType()))
    return false;
  return isElementwise(op) || isKnownConstant(op) ||
         isa<tt::SplatOp, tt::MakeRangeOp, tt::BroadcastOp, tt::ExpandDimsOp, tt::TransOp,
             tt::LoadOp>(op);
}

bool isUniform(Value block) {
  Operation *source = block.getDefiningOp();
  if (!isa<RankedTensorType>(block.getType()) || (source && isa<tt::SplatOp>(source)))
    return true;
  if (source && source->hasTrait<OpTrait::ConstantLike>())
    return true;
  return source && source->getNumOperands() > 0 &&
         (isElementwise(source) || isa<tt::BroadcastOp, tt::ExpandDimsOp>(source)) &&
         llvm::all_of(source->getOperands(), isUniform);
}

static bool hasPlainPointer(Operation *op) {
  return elementTypeOf(op->getOperand(0).getType()) != nullptr;
}

bool takesLanes(Region &region) {
  return llvm::all_of(region.front().without_terminator(),
                      [](Operation &op) { return isElementwise(&op) || isKnownConstant(&op); });
}

/// Whether it is in a function that elements are combined with.
static bool combinesElements(Operation *op) {
  return op->getParentOfType<tt::ReduceOp>() || op->getParentOfType<tt::ScanOp>();
}

static bool isSupported(Operation *op) {
  for (Type type : llvm::concat<const Type>(op->getOperandTypes(), op->getResultTypes()))
    if (!elementTypeOf(type))
      return false;
  // What is inside is looked at by itself.
  if (isa<tt::ReduceOp, tt::ScanOp, tt::MapElementwiseOp>(op))
    return op->getRegion(0).hasOneBlock();
  if (auto dot = dyn_cast<tt::DotOp>(op))
    return isSupportedDot(dot);
  if (isa<tt::AtomicRMWOp, tt::AtomicCASOp>(op))
    return isSupportedAtomic(op);
  if (isa<tt::LoadOp, tt::StoreOp>(op))
    return hasPlainPointer(op);
  // The interpreter calls functions of elements for several at a time, and prints in that order.
  if (isa<tt::PrintOp>(op))
    return !combinesElements(op) && !op->getParentOfType<tt::MapElementwiseOp>();
  if (auto assembly = dyn_cast<tt::ElementwiseInlineAsmOp>(op))
    return !combinesElements(op) && assemblyFault(assembly).empty();
  return isDeferred(op) || isElementwise(op) || isKnownConstant(op) ||
         isa<tt::GetProgramIdOp, tt::GetNumProgramsOp, tt::ReshapeOp, tt::JoinOp, tt::SplitOp,
             tt::CatOp, tt::GatherOp, tt::HistogramOp, tt::AssertOp, tt::ReturnOp,
             tt::ReduceReturnOp, tt::ScanReturnOp, tt::MapElementwiseReturnOp, scf::ForOp,
             scf::IfOp, scf::WhileOp, scf::YieldOp, scf::ConditionOp, gpu::BarrierOp,
             LLVM::AssumeOp, tt::UnsplatOp, tt::AtomicPollOp, tt::GridDependencyWaitOp,
             tt::GridDependencyLaunchDependentsOp>(op);
}

static std::string describe(Operation *op) {
  std::string text = "`" + op->getName().getStringRef().str() + "`";
  if (auto assembly = dyn_cast<tt::ElementwiseInlineAsmOp>(op))
    if (const std::string fault = assemblyFault(assembly); !fault.empty())
      return text + ": " + fault;
  for (Type type : llvm::concat<const Type>(op->getOperandTypes(), op->getResultTypes()))
    if (!elementTypeOf(type)) {
      llvm::raw_string_ostream os(text);
      os << " with `" << type << "`";
      break;
    }
  return text;
}

LogicalResult checkSupported(tt::FuncOp kernel) {
  bool isComplete = true;
  if (!kernel.getBody().hasOneBlock()) {
    kernel.emitError("not supported by the cpu target yet: branches of `cf`");
    return failure();
  }
  kernel.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isSupported(op))
      return WalkResult::advance();
    isComplete = false;
    op->emitError("not supported by the cpu target yet: ") << describe(op);
    return WalkResult::skip();
  });
  return success(isComplete);
}

} // namespace tilescope::cpu
