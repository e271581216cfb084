// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/interpreter/Tickets.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tilescope::compiler::interpreter {

namespace {
enum class Reach { Nothing, Control, Written };
} // namespace

/// What follows from a value of a terminator: results of the operation around it, and what its
/// blocks begin with.
static void passOn(Operation *terminator, SmallVectorImpl<Value> &values) {
  Operation *parent = terminator->getParentOp();
  values.append(parent->result_begin(), parent->result_end());
  if (isa<LoopLikeOpInterface>(parent))
    for (Region &region : parent->getRegions())
      for (Block &block : region)
        values.append(block.args_begin(), block.args_end());
  for (Block *successor : terminator->getSuccessors())
    values.append(successor->args_begin(), successor->args_end());
}

static bool writes(Operation *user) {
  return isa<tt::StoreOp, tt::AtomicRMWOp, tt::AtomicCASOp, tt::CallOp>(user);
}

static Reach reachOf(Value result) {
  SmallVector<Value> values{result};
  DenseSet<Value> seen;
  Reach reach = Reach::Nothing;
  while (!values.empty()) {
    const Value value = values.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    for (Operation *user : value.getUsers()) {
      if (writes(user))
        return Reach::Written;
      // A condition passes nothing on: it decides how long a loop goes on.
      if (auto condition = dyn_cast<scf::ConditionOp>(user);
          condition && condition.getCondition() == value &&
          !llvm::is_contained(condition.getArgs(), value)) {
        reach = Reach::Control;
        continue;
      }
      if (isa<scf::IfOp>(user) || user->getNumSuccessors() != 0)
        reach = Reach::Control;
      if (user->hasTrait<OpTrait::IsTerminator>())
        passOn(user, values);
      values.append(user->result_begin(), user->result_end());
    }
  }
  return reach;
}

/// Whether what an operation leaves depends on those before it, even where nobody uses its result.
static bool leavesByOrder(Operation *op) {
  auto rmw = dyn_cast<tt::AtomicRMWOp>(op);
  return isa<tt::AtomicCASOp>(op) || (rmw && rmw.getAtomicRmwOp() == tt::RMWOp::XCHG &&
                                      !matchPattern(rmw.getVal(), m_Constant()));
}

Operation *findTicket(ModuleOp module) {
  Operation *deciding = nullptr;
  const auto found = module.walk([&](Operation *op) {
    if (!isa<tt::AtomicRMWOp, tt::AtomicCASOp>(op))
      return WalkResult::advance();
    const Reach reach = reachOf(op->getResult(0));
    const bool decides = reach != Reach::Nothing || leavesByOrder(op);
    if (decides && (!deciding || reach == Reach::Written))
      deciding = op;
    return reach == Reach::Written ? WalkResult::interrupt() : WalkResult::advance();
  });
  (void)found;
  return deciding;
}

} // namespace tilescope::compiler::interpreter
