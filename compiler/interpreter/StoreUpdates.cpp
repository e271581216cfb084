// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/interpreter/StoreUpdates.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
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

} // namespace tilescope::compiler::interpreter
