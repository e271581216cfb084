// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/LoopOperations.h"

#include "compiler/dialects/ttng/ir/Dialect.h"

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tilescope::compiler {

static bool hasBlock(Operation *op) {
  return op->getNumResults() > 0 && isa<RankedTensorType>(op->getResult(0).getType());
}

/// Of blocks of floating-point numbers; what is known before the loop is none.
static bool isArithmetic(Operation *op) {
  if (!hasBlock(op) || isa<arith::ConstantOp>(op) ||
      !isa<arith::ArithDialect, math::MathDialect>(op->getDialect()))
    return false;
  return isa<FloatType>(getElementTypeOrSelf(op->getResult(0).getType()));
}

std::optional<LoopAction> loopActionOf(Operation *op) {
  using Action = std::optional<LoopAction>;
  const auto always = [](LoopAction action) { return [=](Operation *) { return Action(action); }; };
  const auto ofBlock = [](LoopAction action) {
    return [=](Operation *op) { return hasBlock(op) ? Action(action) : std::nullopt; };
  };
  const auto withBlock = [](auto alloc) {
    return alloc.getSrc() ? Action(LoopAction::LocalStore) : std::nullopt;
  };
  return llvm::TypeSwitch<Operation *, Action>(op)
      .Case<ttg::AsyncCopyGlobalToLocalOp>(always(LoopAction::AsyncCopy))
      .Case<ttng::AsyncTMACopyGlobalToLocalOp, ttng::AsyncTMAGatherOp>(always(LoopAction::BulkCopy))
      .Case<ttng::AsyncTMACopyLocalToGlobalOp, ttng::AsyncTMAReduceOp, ttng::AsyncTMAScatterOp>(
          always(LoopAction::BulkStore))
      .Case<ttg::AsyncCommitGroupOp>(always(LoopAction::CloseGroup))
      .Case<ttg::AsyncWaitOp>(always(LoopAction::CopyWait))
      .Case<ttng::WaitBarrierOp>(always(LoopAction::BarrierWait))
      .Case<ttng::WarpGroupDotWaitOp>(always(LoopAction::ProductWait))
      .Case<ttng::TMAStoreWaitOp>(always(LoopAction::StoreWait))
      .Case<ttng::BarrierExpectOp>(always(LoopAction::Expect))
      .Case<ttng::ArriveBarrierOp, ttng::AsyncCopyMbarrierArriveOp, ttng::TCGen5CommitOp>(
          always(LoopAction::Arrive))
      .Case<tt::DotOp, tt::DotScaledOp, ttng::WarpGroupDotOp, ttng::TCGen5MMAOp,
            ttng::TCGen5MMAScaledOp>(always(LoopAction::Product))
      .Case<ttg::LocalLoadOp, ttg::LocalGatherOp, ttng::TMEMLoadOp>(always(LoopAction::LocalLoad))
      .Case<ttg::LocalStoreOp, ttg::LocalScatterOp, ttng::TMEMStoreOp, ttng::TMEMCopyOp>(
          always(LoopAction::LocalStore))
      .Case<ttg::LocalAllocOp>(withBlock)
      .Case<ttng::TMEMAllocOp>(withBlock)
      .Case<tt::LoadOp, tt::DescriptorLoadOp, tt::DescriptorGatherOp>(ofBlock(LoopAction::Load))
      .Case<tt::StoreOp, tt::DescriptorStoreOp, tt::AtomicRMWOp, tt::AtomicCASOp>(
          always(LoopAction::Store))
      .Case<ttg::ConvertLayoutOp>(always(LoopAction::Conversion))
      .Case<tt::ReduceOp, tt::ScanOp>(always(LoopAction::Reduction))
      .Case<scf::ForOp, scf::WhileOp>(always(LoopAction::InnerLoop))
      .Default([](Operation *op) {
        return isArithmetic(op) ? Action(LoopAction::Arithmetic) : std::nullopt;
      });
}

bool isUnderWayBehind(Operation *op) {
  if (auto product = dyn_cast<ttng::WarpGroupDotOp>(op))
    return product.getIsAsync();
  return ttg::accessModeOf(op).completion != ttg::Completion::Immediate;
}

int32_t pendingOf(Operation *op) {
  auto wait = dyn_cast<ttg::AsyncWaitOpInterface>(op);
  if (!wait || isa<ttng::WaitBarrierOp>(op))
    return -1;
  return static_cast<int32_t>(wait.getAsyncWait().numPending);
}

/// What a value was before it came here; null: it is made here.
static Value origin(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *parent = argument.getOwner()->getParentOp();
    if (auto specialized = dyn_cast<ttg::WarpSpecializeOp>(parent))
      return specialized.getCaptures()[argument.getArgNumber()];
    if (auto loop = dyn_cast<scf::ForOp>(parent); loop && argument != loop.getInductionVar())
      return loop.getTiedLoopInit(argument)->get();
    return nullptr;
  }
  Operation *op = value.getDefiningOp();
  if (auto wait = dyn_cast<ttng::WarpGroupDotWaitOp>(op))
    return wait.getInputs()[cast<OpResult>(value).getResultNumber()];
  // A view.
  return op->getNumResults() == 1 && op->getNumOperands() > 0 &&
                 isa<ttg::MemDescType>(op->getOperand(0).getType())
             ? op->getOperand(0)
             : Value();
}

BufferPart bufferPartOf(Value buffer) {
  constexpr int kMostSteps = 32;
  BufferPart part;
  for (int step = 0; step < kMostSteps; ++step) {
    if (Operation *op = buffer.getDefiningOp()) {
      if (ttg::allocatesBuffer(op)) {
        part.alloc = op;
        return part;
      }
      // The outermost one is that of the ring.
      if (auto slot = dyn_cast<ttg::MemDescIndexOp>(op))
        part.slot = slot.getIndex();
    }
    buffer = origin(buffer);
    if (!buffer || !isa<ttg::MemDescType>(buffer.getType()))
      break;
  }
  return {};
}

BufferUses bufferUsesOf(Operation *op) {
  BufferUses uses;
  const auto effects = ttg::bufferEffectsOf(op);
  if (!effects)
    return uses;
  for (const MemoryEffects::EffectInstance &effect : *effects) {
    const Value buffer = effect.getValue();
    if (!buffer || !isa<ttg::MemDescType>(buffer.getType()) ||
        effect.getResource() == ttng::BarrierPhase::get())
      continue;
    if (isa<MemoryEffects::Write>(effect.getEffect()))
      uses.writes.push_back(buffer);
    else if (isa<MemoryEffects::Read>(effect.getEffect()))
      uses.reads.push_back(buffer);
  }
  return uses;
}

SmallVector<Value, 1> barriersOf(Operation *op) {
  using Barriers = SmallVector<Value, 1>;
  return llvm::TypeSwitch<Operation *, Barriers>(op)
      .Case<ttng::WaitBarrierOp, ttng::BarrierExpectOp, ttng::ArriveBarrierOp>(
          [](auto use) { return Barriers{use.getAlloc()}; })
      .Case<ttng::AsyncCopyMbarrierArriveOp, ttng::TCGen5CommitOp,
            ttng::AsyncTMACopyGlobalToLocalOp, ttng::AsyncTMAGatherOp>(
          [](auto use) { return Barriers{use.getBarrier()}; })
      .Case<ttng::TCGen5MMAOp, ttng::TCGen5MMAScaledOp>([](auto product) {
        return Barriers(product.getBarriers().begin(), product.getBarriers().end());
      })
      .Default([](Operation *) { return Barriers(); });
}

/// The scalars of which every element of a mask is a conjunct.
static void addScalars(Value mask, SmallVectorImpl<Value> &scalars) {
  Operation *op = mask ? mask.getDefiningOp() : nullptr;
  if (auto both = dyn_cast_or_null<arith::AndIOp>(op)) {
    addScalars(both.getLhs(), scalars);
    addScalars(both.getRhs(), scalars);
  } else if (auto splat = dyn_cast_or_null<tt::SplatOp>(op)) {
    scalars.push_back(splat.getSrc());
  }
}

SmallVector<Value, 2> conditionsOf(Operation *op) {
  SmallVector<Value, 2> conditions;
  llvm::TypeSwitch<Operation *>(op)
      .Case<ttg::AsyncCopyGlobalToLocalOp, tt::LoadOp>(
          [&](auto access) { addScalars(access.getMask(), conditions); })
      .Case<ttng::AsyncTMACopyGlobalToLocalOp, ttng::AsyncTMAGatherOp, ttng::BarrierExpectOp,
            ttng::WaitBarrierOp, ttng::ArriveBarrierOp, ttng::TCGen5CommitOp, ttng::TCGen5MMAOp,
            ttng::TCGen5MMAScaledOp>([&](auto use) {
        if (Value condition = use.getPred())
          conditions.push_back(condition);
      });
  return conditions;
}

} // namespace tilescope::compiler
