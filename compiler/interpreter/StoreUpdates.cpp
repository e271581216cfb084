// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/interpreter/StoreUpdates.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tilescope::compiler::interpreter {

static bool isStep(Operation *op) {
  return isa<arith::AddIOp, arith::AddFOp, arith::SubIOp, arith::SubFOp, arith::MulIOp,
             arith::MulFOp, arith::DivFOp, arith::XOrIOp>(op);
}

static bool isCast(Operation *op) {
  return isa<arith::ExtFOp, arith::TruncFOp, arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp,
             arith::SIToFPOp, arith::FPToSIOp, tt::FpToFpOp>(op);
}

bool updatesItsPlaces(tt::StoreOp store) {
  // Each value with whether a step lies between it and the store.
  SmallVector<std::pair<Value, bool>> values{{store.getValue(), false}};
  SmallPtrSet<Operation *, 8> seen;
  while (!values.empty()) {
    const auto [value, isChanged] = values.pop_back_val();
    Operation *op = value.getDefiningOp();
    if (!op || !seen.insert(op).second)
      continue;
    if (auto load = dyn_cast<tt::LoadOp>(op); load && isChanged && load.getPtr() == store.getPtr())
      return true;
    if (isStep(op) || isCast(op))
      for (Value operand : op->getOperands())
        values.push_back({operand, isChanged || isStep(op)});
  }
  return false;
}

bool servesUpdateAlone(tt::LoadOp load) {
  SmallVector<Value> values{load.getResult()};
  SmallPtrSet<Operation *, 8> seen;
  bool isStored = false;
  while (!values.empty()) {
    for (Operation *user : values.pop_back_val().getUsers()) {
      if (!seen.insert(user).second)
        continue;
      if (auto store = dyn_cast<tt::StoreOp>(user)) {
        if (store.getPtr() != load.getPtr() || store.getMask() == load.getResult())
          return false;
        isStored = true;
      } else if (user->getNumRegions() == 0 && isMemoryEffectFree(user)) {
        values.append(user->result_begin(), user->result_end());
      } else {
        return false;
      }
    }
  }
  return isStored;
}

static bool isExtremum(tt::AtomicRMWOp rmw) {
  using enum tt::RMWOp;
  return llvm::is_contained({MAX, MIN, UMAX, UMIN}, rmw.getAtomicRmwOp());
}

/// Whether a condition decides about nothing but maxima and minima at `places`.
static bool holdsExtremaAlone(scf::IfOp conditional, Value places) {
  return !conditional
              .walk([&](Operation *op) {
                auto rmw = dyn_cast<tt::AtomicRMWOp>(op);
                const bool isExpected =
                    rmw ? isExtremum(rmw) && rmw.getPtr() == places
                        : isa<scf::IfOp, scf::YieldOp>(op) || isMemoryEffectFree(op);
                return isExpected ? WalkResult::advance() : WalkResult::interrupt();
              })
              .wasInterrupted() &&
         conditional.getNumResults() == 0;
}

/// Whether what is loaded only saves maxima and minima of the same places that would change nothing.
static bool decidesAboutExtremaAlone(tt::LoadOp load) {
  SmallVector<Value> values{load.getResult()};
  SmallPtrSet<Operation *, 8> seen;
  bool isUsed = false;
  while (!values.empty()) {
    const Value value = values.pop_back_val();
    for (Operation *user : value.getUsers()) {
      if (user->getNumRegions() == 0 && isMemoryEffectFree(user)) {
        if (seen.insert(user).second)
          values.append(user->result_begin(), user->result_end());
        continue;
      }
      auto rmw = dyn_cast<tt::AtomicRMWOp>(user);
      auto conditional = dyn_cast<scf::IfOp>(user);
      const bool isMask = rmw && isExtremum(rmw) && rmw.getPtr() == load.getPtr() &&
                          rmw.getMask() == value && rmw.getVal() != value;
      if (!isMask && !(conditional && holdsExtremaAlone(conditional, load.getPtr())))
        return false;
      isUsed = true;
    }
  }
  return isUsed;
}

bool isGuessOfUpdate(tt::LoadOp load) {
  return decidesAboutExtremaAlone(load) ||
         llvm::any_of(load.getPtr().getUsers(), llvm::IsaPred<tt::AtomicCASOp>);
}

/// What its region computes from elements is its results.
static bool isCombination(Operation *op) {
  return isa<tt::ReduceOp, tt::ScanOp, tt::MapElementwiseOp>(op);
}

bool mayBeAwaited(Value read) {
  SmallVector<Value> values{read};
  SmallPtrSet<Operation *, 8> seen;
  while (!values.empty()) {
    const Value value = values.pop_back_val();
    for (Operation *user : value.getUsers()) {
      if (auto store = dyn_cast<tt::StoreOp>(user)) {
        if (store.getPtr() == value || store.getMask() == value)
          return true;
      } else if (isa<tt::PrintOp>(user)) {
        continue;
      } else if ((user->getNumRegions() != 0 && !isCombination(user)) ||
                 user->hasTrait<OpTrait::IsTerminator>() || !isMemoryEffectFree(user)) {
        return true;
      } else if (seen.insert(user).second) {
        values.append(user->result_begin(), user->result_end());
      }
    }
  }
  return false;
}

namespace {
/// What an operand is for its operation.
enum class Role { Decides, IsStored, IsPassedOn, Nothing };
} // namespace

static Role roleOf(OpOperand &use) {
  Operation *user = use.getOwner();
  if (auto store = dyn_cast<tt::StoreOp>(user))
    return &use == &store.getValueMutable() ? Role::IsStored : Role::Decides;
  // One whose result is used finds out itself when it is out of date.
  if (auto rmw = dyn_cast<tt::AtomicRMWOp>(user))
    return &use == &rmw.getValMutable() && rmw.use_empty() ? Role::IsStored : Role::Decides;
  if (isa<tt::PrintOp>(user))
    return Role::Nothing;
  if (auto condition = dyn_cast<scf::ConditionOp>(user))
    return &use == &condition.getConditionMutable() ? Role::Decides : Role::IsPassedOn;
  if (auto loop = dyn_cast<LoopLikeOpInterface>(user))
    return llvm::is_contained(loop.getInits(), use.get()) ? Role::IsPassedOn : Role::Decides;
  const bool isPassedOn = isa<scf::YieldOp>(user) || isMemoryEffectFree(user);
  return isPassedOn ? Role::IsPassedOn : Role::Decides;
}

bool isReadAsData(Value read) {
  SmallVector<Value> values{read};
  SmallPtrSet<Operation *, 8> seen;
  bool isStored = false;
  while (!values.empty()) {
    for (OpOperand &use : values.pop_back_val().getUses()) {
      const Role role = roleOf(use);
      if (role == Role::Decides)
        return false;
      isStored |= role == Role::IsStored;
      Operation *user = use.getOwner();
      if (role != Role::IsPassedOn || !seen.insert(user).second)
        continue;
      // What leaves a region are results of the operation around it, or the next round begins with it.
      Operation *to = user->hasTrait<OpTrait::IsTerminator>() ? user->getParentOp() : user;
      values.append(to->result_begin(), to->result_end());
      if (isa<LoopLikeOpInterface>(to))
        for (Region &region : to->getRegions())
          for (Block &block : region)
            values.append(block.args_begin(), block.args_end());
    }
  }
  return isStored;
}

} // namespace tilescope::compiler::interpreter
