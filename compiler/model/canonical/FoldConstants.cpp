// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Operations on constants alone, of more elements than shapes are computed from.
#include "compiler/model/canonical/Rewrites.h"
#include "compiler/model/shape/KnownValues.h"

using namespace mlir;

namespace tilescope::model {

/// A larger result would take more memory than its computation takes time.
static constexpr int64_t kMostElements = 1 << 18;
/// What says which pairs of places belong together may have more: a kernel that knows which reads none of it.
static constexpr int64_t kMostPairs = 1 << 22;
/// What is read with so many is of no account.
static constexpr int64_t kFewElements = 64;

/// Truth values that a file has, such as those of a mask.
static std::optional<Known> knownTruths(tm::WeightOp weight, const WeightBytes &bytes) {
  const int64_t count = cast<RankedTensorType>(weight.getResult().getType()).getNumElements();
  const auto found = bytes && weight.getOrder().empty() && count <= kMostPairs
                         ? bytes(weight, uint64_t(count))
                         : std::nullopt;
  if (!found)
    return std::nullopt;
  Known known;
  for (const char byte : *found)
    known.push_back({tm::number(weight.getContext(), byte != 0)});
  return known;
}

static std::optional<Known> knownConstant(Value value, int64_t most, const WeightBytes &bytes) {
  if (auto constant = value.getDefiningOp<tm::ConstantOp>())
    return knownOf(constant.getValue(), most);
  const auto type = cast<RankedTensorType>(value.getType());
  if (auto fill = value.getDefiningOp<tm::FillOp>();
      fill && type.hasStaticShape() && type.getNumElements() <= most && type.getNumElements() > 0) {
    const auto one = knownOf(
        DenseElementsAttr::get(RankedTensorType::get({}, type.getElementType()), fill.getValue()));
    return one ? std::optional(Known(size_t(type.getNumElements()), one->front())) : std::nullopt;
  }
  if (auto weight = value.getDefiningOp<tm::WeightOp>();
      weight && type.getElementType().isInteger(1))
    return knownTruths(weight, bytes);
  const auto reals = constantReals(value, bytes, std::min(most, kMostElements));
  if (!reals)
    return std::nullopt;
  Known known;
  for (const double real : *reals)
    known.push_back({{}, real});
  return known;
}

/// Whether it repeats one whole matrix.
static bool repeatsMatrix(Operation *operation) {
  auto expand = dyn_cast<tm::ExpandOp>(operation);
  if (!expand)
    return false;
  const auto from = cast<RankedTensorType>(expand.getOperand().getType()).getShape();
  const auto to = cast<RankedTensorType>(expand.getResult().getType()).getShape();
  return from.size() >= 2 && from.take_back(2) == to.take_back(2) &&
         llvm::product_of(from.drop_back(2)) == 1;
}

/// A product reads a transposed weight where it lies, and one that is repeated for a batch once.
static bool isMovedFactor(Operation *operation) {
  const bool isTransposed =
      isa<tm::TransposeOp>(operation) && operation->getOperand(0).getDefiningOp<tm::WeightOp>();
  return (isTransposed || repeatsMatrix(operation)) &&
         llvm::all_of(operation->getUsers(),
                      [](Operation *user) { return isa<tm::MatmulOp, tm::GemmOp>(user); });
}

/// A scale or an addend of rows, which the kernel that uses it widens as it reads it. The wide one would take twice as long
/// to read, again for each row.
static bool isWidened(Operation *operation) {
  auto op = dyn_cast<tm::CastOp>(operation);
  if (!op)
    return false;
  const auto from = cast<RankedTensorType>(op.getOperand().getType());
  const auto to = cast<RankedTensorType>(op.getResult().getType());
  return from.getNumElements() > kFewElements && isa<FloatType>(from.getElementType()) &&
         from.getElementTypeBitWidth() == 16 && to.getElementType().isF32() && op->hasOneUse() &&
         isa<tm::AddOp, tm::MulOp>(*op->user_begin());
}

static bool isUniform(const Known &known) {
  return llvm::all_of(known, [&](const auto &each) { return each.real == known.front().real; });
}

static bool holdsTruths(Value value) {
  return cast<RankedTensorType>(value.getType()).getElementType().isInteger(1);
}

static bool hasPairs(Value value) {
  const ArrayRef<int64_t> shape = cast<RankedTensorType>(value.getType()).getShape();
  return shape.size() >= 2 && shape.back() > 1 && shape.end()[-2] > 1;
}

/// Masks: truth values, triangles, one of two numbers for each pair, and what becomes of those.
static int64_t mostElements(Operation *operation) {
  const bool isMask = holdsTruths(operation->getResult(0)) ||
                      isa<tm::TriluOp, tm::WhereOp>(operation) ||
                      operation->getOperand(0).getDefiningOp<tm::ConstantOp>();
  return isMask && hasPairs(operation->getResult(0)) ? kMostPairs : kMostElements;
}

/// A mask of the file becomes one of the module, where attention finds out what it says.
static bool foldMask(tm::WeightOp weight, RewriteContext &context) {
  if (!holdsTruths(weight.getResult()) || !hasPairs(weight.getResult()))
    return false;
  const std::optional<Known> known = knownTruths(weight, context.bytes);
  const auto type = cast<RankedTensorType>(weight.getResult().getType());
  const ElementsAttr elements = known ? constantOf(*known, type) : ElementsAttr();
  if (!elements)
    return false;
  context.replace(weight, tm::ConstantOp::create(context.builder, weight.getLoc(), type, elements),
                  "constant", "it is a mask");
  return true;
}

bool foldConstant(Operation *operation, RewriteContext &context) {
  if (auto weight = dyn_cast<tm::WeightOp>(operation))
    return foldMask(weight, context);
  if (operation->getNumResults() != 1 || operation->getNumOperands() == 0 ||
      isMovedFactor(operation))
    return false;
  const auto isConstant = [](Value value) {
    return isa_and_present<tm::ConstantOp, tm::WeightOp>(value.getDefiningOp());
  };
  // What is the same everywhere costs less as it is, except where it is made a part of a mask.
  const auto isKnown = [&](Value value) {
    return isConstant(value) || isa_and_present<tm::FillOp>(value.getDefiningOp());
  };
  if (!llvm::all_of(operation->getOperands(), isKnown) ||
      (!isa<tm::TriluOp>(operation) && llvm::none_of(operation->getOperands(), isConstant)))
    return false;
  const int64_t most = mostElements(operation);
  std::vector<Known> operands;
  for (const Value value : operation->getOperands()) {
    std::optional<Known> known = knownConstant(value, most, context.bytes);
    if (!known)
      return false;
    operands.push_back(std::move(*known));
  }
  // What is the same everywhere becomes a number of the kernel.
  if (isWidened(operation) && !isUniform(operands.front()))
    return false;
  SmallVector<const Known *> pointers;
  for (const Known &known : operands)
    pointers.push_back(&known);
  const std::optional<Known> known = foldKnown(operation, pointers, most);
  const auto type = cast<RankedTensorType>(operation->getResult(0).getType());
  const ElementsAttr elements = known ? constantOf(*known, type) : ElementsAttr();
  if (!elements)
    return false;
  context.replace(operation,
                  tm::ConstantOp::create(context.builder, operation->getLoc(), type, elements),
                  "constant", "its operands are constants, so its result is one");
  return true;
}

} // namespace tilescope::model
