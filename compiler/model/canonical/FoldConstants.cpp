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
/// What is read with so many is of no account.
static constexpr int64_t kFewElements = 64;

static std::optional<Known> knownConstant(Value value, const WeightBytes &bytes) {
  if (auto constant = value.getDefiningOp<tm::ConstantOp>())
    return knownOf(constant.getValue(), kMostElements);
  const auto reals = constantReals(value, bytes, kMostElements);
  if (!reals)
    return std::nullopt;
  Known known;
  for (const double real : *reals)
    known.push_back({{}, real});
  return known;
}

/// A product reads a transposed weight where it lies.
static bool isTransposedFactor(Operation *operation) {
  return isa<tm::TransposeOp>(operation) &&
         operation->getOperand(0).getDefiningOp<tm::WeightOp>() &&
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

bool foldConstant(Operation *operation, RewriteContext &context) {
  if (operation->getNumResults() != 1 || operation->getNumOperands() == 0 ||
      isTransposedFactor(operation))
    return false;
  const auto isConstant = [](Value value) {
    return isa_and_present<tm::ConstantOp, tm::WeightOp>(value.getDefiningOp());
  };
  if (!llvm::all_of(operation->getOperands(), isConstant))
    return false;
  std::vector<Known> operands;
  for (const Value value : operation->getOperands()) {
    std::optional<Known> known = knownConstant(value, context.bytes);
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
  const std::optional<Known> known = foldKnown(operation, pointers, kMostElements);
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
