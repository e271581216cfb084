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
