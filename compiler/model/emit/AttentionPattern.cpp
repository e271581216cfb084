// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/emit/AttentionPattern.h"

using namespace mlir;

namespace tilescope::model {

std::vector<Operation *> AttentionPattern::operations() const {
  std::vector<Operation *> all = {scores};
  tm::WhereOp chooses = selection;
  for (Operation *each : {scale, widening, addition, chooses.getOperation(), conversion})
    if (each)
      all.push_back(each);
  all.push_back(softmax);
  if (narrowing)
    all.push_back(narrowing);
  all.push_back(result);
  return all;
}

static bool hasOneElement(Value value) { return tensorType(value).getNumElements() == 1; }

static bool keepsShape(Operation *operation, Value operand) {
  return tensorType(operation->getResult(0)).getShape() == tensorType(operand).getShape();
}

/// The scores that the value is made of by a product of matrices, with what scales them; false: it is not.
static bool takeScores(Value value, AttentionPattern &pattern) {
  Operation *maker = value.getDefiningOp();
  if (!maker || !maker->hasOneUse())
    return false;
  if (isa<tm::MulOp, tm::DivOp>(maker)) {
    const unsigned at = !hasOneElement(maker->getOperand(1)) && isa<tm::MulOp>(maker) ? 0 : 1;
    pattern.scale = maker;
    pattern.factor = maker->getOperand(at);
    value = maker->getOperand(1 - at);
    if (!hasOneElement(pattern.factor) || !keepsShape(maker, value))
      return false;
  }
  pattern.scores = value.getDefiningOp<tm::MatmulOp>();
  return pattern.scores && pattern.scores->hasOneUse();
}

/// The pattern with scores that something may be added to, or put in the place of.
static std::optional<AttentionPattern> takeMasked(Value value, const AttentionPattern &pattern) {
  Operation *maker = value.getDefiningOp();
  if (!maker || !isa<tm::AddOp, tm::WhereOp>(maker)) {
    AttentionPattern plain = pattern;
    return takeScores(value, plain) ? std::optional(plain) : std::nullopt;
  }
  // Both have two operands of which one may be the scores, behind a selection's condition.
  const unsigned first = maker->getNumOperands() - 2;
  for (const unsigned at : {0u, 1u}) {
    const Value scores = maker->getOperand(first + at), other = maker->getOperand(first + 1 - at);
    AttentionPattern with = pattern;
    if (auto selection = dyn_cast<tm::WhereOp>(maker)) {
      with.selection = selection;
      if (!tm::splatElement(other))
        continue;
    } else {
      with.addition = maker;
      with.added = other;
      auto cast = other.getDefiningOp<tm::CastOp>();
      if (cast && cast->hasOneUse() &&
          isSmallReal(tensorType(cast.getOperand()).getElementType())) {
        with.widening = cast;
        with.added = cast.getOperand();
      }
    }
    if (maker->hasOneUse() && keepsShape(maker, scores) && takeScores(scores, with))
      return with;
  }
  return std::nullopt;
}

std::optional<AttentionPattern> attentionAround(tm::SoftmaxOp softmax) {
  const RankedTensorType type = tensorType(softmax.getResult());
  if (softmax.getAxes() != ArrayRef<int64_t>{type.getRank() - 1} || !softmax->hasOneUse())
    return std::nullopt;
  AttentionPattern pattern;
  pattern.softmax = softmax;
  Operation *weights = softmax, *user = *softmax->user_begin();
  if (isa<tm::CastOp>(user) && user->hasOneUse()) {
    pattern.narrowing = weights = user;
    user = *user->user_begin();
  }
  pattern.result = dyn_cast<tm::MatmulOp>(user);
  if (!pattern.result || pattern.result.getLhs() != weights->getResult(0))
    return std::nullopt;
  Value scores = softmax.getOperand();
  if (auto cast = scores.getDefiningOp<tm::CastOp>();
      cast && cast->hasOneUse() && isSmallReal(tensorType(cast.getOperand()).getElementType())) {
    pattern.conversion = cast;
    scores = cast.getOperand();
  }
  return takeMasked(scores, pattern);
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
