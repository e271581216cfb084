// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/analysis/AccessMask.h"

#include "compiler/analysis/IndexBounds.h"
#include "compiler/dialects/tt/ir/Dialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tilescope::compiler {

Value maskOf(Operation *access) {
  if (auto load = dyn_cast<tt::LoadOp>(access))
    return load.getMask();
  auto store = dyn_cast<tt::StoreOp>(access);
  return store ? store.getMask() : Value();
}

bool compares(Value mask, Value value) {
  mask = mask ? withoutCasts(mask) : mask;
  Operation *op = mask ? mask.getDefiningOp() : nullptr;
  if (isa_and_nonnull<arith::AndIOp, arith::OrIOp>(op))
    return compares(op->getOperand(0), value) || compares(op->getOperand(1), value);
  auto compare = dyn_cast_or_null<arith::CmpIOp>(op);
  return compare &&
         (withoutCasts(compare.getLhs()) == value || withoutCasts(compare.getRhs()) == value);
}

} // namespace tilescope::compiler
