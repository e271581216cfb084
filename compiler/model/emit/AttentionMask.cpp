// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/emit/AttentionMask.h"

#include "compiler/model/emit/Formulas.h"

using namespace mlir;

namespace tilescope::model {

/// A score so low counts as none beside any other: the lowest number of fp16, and all below.
static constexpr double kNone = -65504;
/// Times log2(e) it is far from the largest number of fp32.
static constexpr double kLargest = 1e30;

/// The elements of a constant that has one for each query and key of `scores`, whatever the batch; nothing: it is another
/// value.
static std::optional<DenseElementsAttr> constantPairs(Value value, ArrayRef<int64_t> scores) {
  auto constant = value.getDefiningOp<tm::ConstantOp>();
  const auto elements = constant ? dyn_cast<DenseElementsAttr>(constant.getValue()) : nullptr;
  const ArrayRef<int64_t> shape = tensorType(value).getShape();
  const bool isOfPairs = elements && !elements.isSplat() && shape.size() >= 2 &&
                         shape.take_back(2) == scores.take_back(2) &&
                         elements.getNumElements() == shape.end()[-2] * shape.back();
  return isOfPairs ? std::optional(elements) : std::nullopt;
}

/// How far behind its own place a query sees: 0 where queries and keys begin together. `seen`: whether each pair is.
template <typename Seen>
static std::optional<int64_t> causalPast(int64_t queries, int64_t keys, Seen seen) {
  int64_t past = -1;
  while (past + 1 < keys && seen(0, past + 1))
    ++past;
  if (past < 0)
    return std::nullopt;
  for (int64_t query = 0; query < queries; ++query)
    for (int64_t key = 0; key < keys; ++key)
      if (seen(query, key) != (key <= query + past))
        return std::nullopt;
  return past;
}

/// Of scores that 0 or a number that leaves nothing of them is added to.
static std::optional<int64_t> causalPast(Value added, ArrayRef<int64_t> scores) {
  const auto elements = constantPairs(added, scores);
  if (!elements || !isa<FloatType>(elements->getElementType()))
    return std::nullopt;
  const ArrayRef<int64_t> shape = tensorType(added).getShape();
  std::vector<bool> isSeen;
  for (const APFloat &each : elements->getValues<APFloat>()) {
    if (!each.isZero() && !(each.convertToDouble() <= kNone))
      return std::nullopt;
    isSeen.push_back(each.isZero());
  }
  return causalPast(shape.end()[-2], shape.back(), [&](int64_t query, int64_t key) {
    return isSeen[size_t(query * shape.back() + key)];
  });
}

/// Whether a selection keeps the scores where its condition is true.
static bool keepsWhereTrue(tm::WhereOp selection) { return !tm::splatElement(selection.getLhs()); }

static Value otherOf(tm::WhereOp selection) {
  return keepsWhereTrue(selection) ? selection.getRhs() : selection.getLhs();
}

/// Of scores of which some are replaced by a number that is as good as none.
static std::optional<int64_t> causalPast(tm::WhereOp selection) {
  const auto other = dyn_cast<FloatAttr>(tm::splatElement(otherOf(selection)));
  const auto elements =
      constantPairs(selection.getCondition(), tensorType(selection.getResult()).getShape());
  if (!elements || !other || !(other.getValueAsDouble() <= kNone))
    return std::nullopt;
  const ArrayRef<int64_t> shape = tensorType(selection.getCondition()).getShape();
  const auto values = elements->getValues<bool>();
  const bool isSeen = keepsWhereTrue(selection);
  return causalPast(shape.end()[-2], shape.back(), [&](int64_t query, int64_t key) {
    return values[size_t(query * shape.back() + key)] == isSeen;
  });
}

/// `name = tl.load(…)` of a tensor's element for each query and key, repeated where it has one for several.
static AttentionMask loaded(const std::string &letter, Value tensor, ArrayRef<int64_t> shape,
                            const std::string &before, const char *other, EmittedKernel &kernel) {
  const RankedTensorType type = tensorType(tensor);
  const std::vector<int64_t> steps = rowStrides(type.getShape());
  std::vector<int64_t> strides(shape.size(), 0);
  for (size_t axis = 0; axis < steps.size(); ++axis)
    if (type.getShape()[axis] != 1)
      strides[shape.size() - steps.size() + axis] = steps[axis];
  kernel.read(letter + "_ptr", tensor);
  const IndexMap batches{shape.drop_back(2).vec(), {strides.begin(), strides.end() - 2}};
  std::string place = batches.extents.empty() ? "" : batches.text(letter, kernel, "batch");
  place += place.empty() ? "" : " + ";
  const bool isOfPairs = strides.end()[-2] != 0;
  if (isOfPairs)
    kernel.number(letter + "_row", strides.end()[-2]);
  kernel.number(letter + "_column", strides.back());
  AttentionMask mask;
  mask.lines = before + "tl.load(" + letter + "_ptr + " + place +
               (isOfPairs ? "rows[:, None] * " + letter + "_row + at[None, :]" : "at") + " * " +
               letter + "_column";
  mask.linesBehind = (isOfPairs ? ")" : ")[None, :]") + widened(tensor) + "\n";
  mask.other = other;
  mask.pairBytes = isOfPairs ? std::max<int64_t>(1, type.getElementTypeBitWidth() / 8) : 0;
  return mask;
}

std::string AttentionMask::bounds(bool areRowsBound, bool areKeysBound) const {
  if (pairBytes == 0)
    return areKeysBound ? ", mask=at < N, other=" + other : "";
  if (!areRowsBound && !areKeysBound)
    return "";
  return std::string(",\n                         mask=") +
         (areRowsBound ? "(rows[:, None] < M)" : "") + (areRowsBound && areKeysBound ? " & " : "") +
         (areKeysBound ? "(at[None, :] < N)" : "") + ", other=" + other;
}

static AttentionMask causalMask(int64_t past, EmittedKernel &kernel) {
  AttentionMask mask;
  mask.isCausal = true;
  if (past != 0) {
    kernel.number("past", past);
    mask.behind = " + past";
  }
  return mask;
}

/// `tl.where(seen, score, number)`. Nothing: the number is not one that a text has.
static std::optional<AttentionMask> selectionMask(tm::WhereOp selection, EmittedKernel &kernel) {
  const Value other = otherOf(selection);
  const auto number = dyn_cast<FloatAttr>(tm::splatElement(other));
  if (!number)
    return std::nullopt;
  std::string literal = literalOf(other);
  if (literal.empty() && number.getValue().isInfinity())
    literal = number.getValue().isNegative() ? "float(\"-inf\")" : "float(\"inf\")";
  if (literal.empty())
    return std::nullopt;
  AttentionMask mask =
      loaded("seen", selection.getCondition(), tensorType(selection.getResult()).getShape(),
             "        seen = ", "0", kernel);
  mask.linesBehind += "        score = tl.where(seen, " +
                      (keepsWhereTrue(selection) ? "score, " + literal : literal + ", score") +
                      ")\n";
  mask.onlyHides = number.getValue().isInfinity() && number.getValue().isNegative();
  mask.fitsPowersOfTwo = mask.onlyHides || std::abs(number.getValueAsDouble()) <= kLargest;
  return mask;
}

std::optional<AttentionMask> attentionMask(const AttentionPattern &pattern, EmittedKernel &kernel) {
  tm::WhereOp selection = pattern.selection;
  if (selection) {
    const auto past = causalPast(selection);
    return past ? std::optional(causalMask(*past, kernel)) : selectionMask(selection, kernel);
  }
  if (!pattern.addition)
    return AttentionMask();
  const ArrayRef<int64_t> scores = tensorType(pattern.addition->getResult(0)).getShape();
  if (const auto past = causalPast(pattern.added, scores))
    return causalMask(*past, kernel);
  AttentionMask mask = loaded("bias", pattern.added, scores, "        score += ", "0.0", kernel);
  mask.fitsPowersOfTwo = tensorType(pattern.added).getElementType().isF16();
  return mask;
}

} // namespace tilescope::model
