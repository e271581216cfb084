// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/emit/AttentionPattern.h"

using namespace mlir;

namespace tilescope::model {

std::vector<Operation *> AttentionPattern::operations() const {
  std::vector<Operation *> all = {scores};
  for (Operation *each : {scale, addition})
    if (each)
      all.push_back(each);
  all.push_back(softmax);
  all.push_back(result);
  return all;
}

static bool hasOneElement(Value value) { return tensorType(value).getNumElements() == 1; }

static bool keepsShape(Operation *operation, Value operand) {
  return tensorType(operation->getResult(0)).getShape() == tensorType(operand).getShape();
}

/// The operand of a product or quotient with one number; null: it is none.
static Value scaledBy(Operation *operation) {
  if (!isa<tm::MulOp, tm::DivOp>(operation))
    return {};
  Value scaled;
  if (hasOneElement(operation->getOperand(1)))
    scaled = operation->getOperand(0);
  else if (isa<tm::MulOp>(operation) && hasOneElement(operation->getOperand(0)))
    scaled = operation->getOperand(1);
  return scaled && keepsShape(operation, scaled) ? scaled : Value();
}

/// The one of two operands that leads to a product of matrices, over a scale or not; null: none does.
static Value scoresBelow(Operation *addition) {
  for (const Value operand : addition->getOperands()) {
    Operation *maker = operand.getDefiningOp();
    if (!maker || !maker->hasOneUse() || !keepsShape(addition, operand))
      continue;
    if (isa<tm::MatmulOp>(maker))
      return operand;
    if (const Value scaled = scaledBy(maker); scaled && scaled.getDefiningOp<tm::MatmulOp>())
      return operand;
  }
  return {};
}

std::optional<AttentionPattern> attentionAround(tm::SoftmaxOp softmax) {
  const RankedTensorType type = tensorType(softmax.getResult());
  if (softmax.getAxes() != ArrayRef<int64_t>{type.getRank() - 1} || !softmax->hasOneUse())
    return std::nullopt;
  AttentionPattern pattern;
  pattern.softmax = softmax;
  pattern.result = dyn_cast<tm::MatmulOp>(*softmax->user_begin());
  if (!pattern.result || pattern.result.getLhs() != softmax.getResult())
    return std::nullopt;
  Value value = softmax.getOperand();
  if (auto addition = value.getDefiningOp<tm::AddOp>(); addition && addition->hasOneUse()) {
    pattern.addition = addition;
    value = scoresBelow(addition);
  }
  Operation *maker = value ? value.getDefiningOp() : nullptr;
  if (!maker || !maker->hasOneUse())
    return std::nullopt;
  if (const Value scaled = scaledBy(maker)) {
    pattern.scale = maker;
    value = scaled;
  }
  pattern.scores = value.getDefiningOp<tm::MatmulOp>();
  if (!pattern.scores || !pattern.scores->hasOneUse())
    return std::nullopt;
  return pattern;
}

std::optional<AttentionPattern> attentionIn(const Group &group) {
  for (Operation *operation : group.operations)
    if (auto softmax = dyn_cast<tm::SoftmaxOp>(operation))
      if (auto pattern = attentionAround(softmax))
        if (llvm::all_of(pattern->operations(),
                         [&](Operation *each) { return group.contains(each); }))
          return pattern;
  return std::nullopt;
}

} // namespace tilescope::model
