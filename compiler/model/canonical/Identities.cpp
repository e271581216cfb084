// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Operations that change nothing, and movements of what has been moved.
#include "compiler/dialects/tm/ir/Extents.h"
#include "compiler/model/canonical/Rewrites.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tilescope::model {

static bool keepsOrder(tm::TransposeOp op) { return llvm::is_sorted(op.getOrder()); }

/// Only axes of one element change their places.
static bool movesNothing(tm::TransposeOp op) {
  const auto type = cast<RankedTensorType>(op.getOperand().getType());
  SmallVector<int64_t> longAxes;
  for (const int64_t axis : op.getOrder())
    if (type.isDynamicDim(unsigned(axis)) || type.getDimSize(unsigned(axis)) != 1)
      longAxes.push_back(axis);
  return llvm::is_sorted(longAxes);
}

static bool takesAll(tm::SliceOp op) {
  const auto isZero = [](tm::Extent begin) { return tm::isNumber(begin, 0); };
  return op.getBegins() && llvm::all_of(op.getBegins()->getValues(), isZero) &&
         llvm::all_of(*op.getSteps(), [](int64_t step) { return step == 1; });
}

static bool padsNothing(tm::PadOp op) {
  const auto isZero = [](tm::Extent pad) { return tm::isNumber(pad, 0); };
  return op.getPads() && llvm::all_of(op.getPads()->getValues(), isZero);
}

/// Whether it computes with truth values, and not with the bits of whole numbers.
static bool isTruth(Operation *operation) {
  return getElementTypeOrSelf(operation->getResult(0)).isInteger(1);
}

/// The operand that an operation gives back, where it is of the result's type.
static Value unchanged(Operation *operation) {
  return llvm::TypeSwitch<Operation *, Value>(operation)
      .Case<tm::ReshapeOp, tm::ExpandOp, tm::CastOp, tm::TileOp>(
          [](auto op) { return op.getOperand(); })
      .Case([](tm::TransposeOp op) { return keepsOrder(op) ? op.getOperand() : Value(); })
      .Case([](tm::SliceOp op) { return takesAll(op) ? op.getOperand() : Value(); })
      .Case([](tm::PadOp op) { return padsNothing(op) ? op.getOperand() : Value(); })
      .Case([](tm::ConcatOp op) { return op->getNumOperands() == 1 ? op->getOperand(0) : Value(); })
      .Case<tm::AddOp, tm::SubOp>(
          [](auto op) { return splatOf(op.getRhs()) == 0.0 ? op.getLhs() : Value(); })
      .Case([](tm::AndOp op) {
        return isTruth(op) && splatOf(op.getRhs()) == 1.0 ? op.getLhs() : Value();
      })
      .Case([](tm::OrOp op) {
        return isTruth(op) && splatOf(op.getRhs()) == 0.0 ? op.getLhs() : Value();
      })
      .Case<tm::MulOp, tm::DivOp, tm::PowOp>(
          [](auto op) { return splatOf(op.getRhs()) == 1.0 ? op.getLhs() : Value(); })
      .Default([](Operation *) { return Value(); });
}

/// The same with its operands changed over: `0 + x`.
static Value unchangedRight(Operation *operation) {
  if (auto op = dyn_cast<tm::AddOp>(operation))
    return splatOf(op.getLhs()) == 0.0 ? op.getRhs() : Value();
  if (auto op = dyn_cast<tm::AndOp>(operation))
    return isTruth(op) && splatOf(op.getLhs()) == 1.0 ? op.getRhs() : Value();
  if (auto op = dyn_cast<tm::MulOp>(operation))
    return splatOf(op.getLhs()) == 1.0 ? op.getRhs() : Value();
  return {};
}

/// Two movements in one, or a plainer one; null: it stays.
static Value plainer(Operation *operation, RewriteContext &context) {
  const Location location = operation->getLoc();
  const Type type = operation->getResult(0).getType();
  if (auto op = dyn_cast<tm::ReshapeOp>(operation)) {
    auto before = op.getOperand().getDefiningOp<tm::ReshapeOp>();
    if (before && !op.getShape())
      return tm::ReshapeOp::create(context.builder, location, type, before.getOperand(), Value());
  }
  auto op = dyn_cast<tm::TransposeOp>(operation);
  if (!op)
    return {};
  if (movesNothing(op))
    return tm::ReshapeOp::create(context.builder, location, type, op.getOperand(), Value());
  auto before = op.getOperand().getDefiningOp<tm::TransposeOp>();
  if (!before)
    return {};
  SmallVector<int64_t> order;
  for (const int64_t axis : op.getOrder())
    order.push_back(before.getOrder()[size_t(axis)]);
  return tm::TransposeOp::create(context.builder, location, type, before.getOperand(), order);
}

bool removeIdentity(Operation *operation, RewriteContext &context) {
  if (operation->getNumResults() != 1)
    return false;
  for (const Value value : {unchanged(operation), unchangedRight(operation)})
    if (value && value.getType() == operation->getResult(0).getType()) {
      context.replace(operation, value, "identity", "it returns its operand");
      return true;
    }
  if (const Value value = plainer(operation, context)) {
    context.replace(operation, value, "movement",
                    isa<tm::ReshapeOp>(value.getDefiningOp()) && isa<tm::TransposeOp>(operation)
                        ? "only axes of one element change their places: it is a reshape"
                        : "together with the one before it is one movement");
    return true;
  }
  return false;
}

} // namespace tilescope::model
