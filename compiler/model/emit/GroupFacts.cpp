// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/emit/GroupFacts.h"

#include "compiler/model/emit/AttentionPattern.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tilescope::model {

using compiler::ModelKernelForm;

static std::optional<ModelKernelForm> anchorForm(Operation *operation) {
  return llvm::TypeSwitch<Operation *, std::optional<ModelKernelForm>>(operation)
      .Case<tm::ConvOp, tm::ConvTransposeOp>([](auto) { return ModelKernelForm::Convolution; })
      .Case<tm::MatmulOp, tm::GemmOp>([](auto) { return ModelKernelForm::Product; })
      .Case<tm::MaxPoolOp, tm::AvgPoolOp>([](auto) { return ModelKernelForm::Pooling; })
      .Case<tm::ResizeOp>([](auto) { return ModelKernelForm::Resize; })
      .Case<tm::GatherOp, tm::GatherElementsOp, tm::GatherNdOp, tm::ScatterNdOp,
            tm::ScatterElementsOp, tm::TopKOp>([](auto) { return ModelKernelForm::Gathering; })
      .Default([](Operation *) { return std::nullopt; });
}

bool isReduction(Operation *operation) {
  return isa<tm::ReduceOp, tm::ArgReduceOp, tm::CumSumOp, tm::SoftmaxOp, tm::LogSoftmaxOp>(
      operation);
}

ModelKernelForm kernelForm(const Group &group) {
  if (attentionIn(group))
    return ModelKernelForm::Attention;
  for (Operation *operation : group.operations)
    if (const auto form = anchorForm(operation))
      return *form;
  // What readers of models look for by its name.
  if (llvm::any_of(group.operations, llvm::IsaPred<tm::SoftmaxOp, tm::LogSoftmaxOp>))
    return ModelKernelForm::Softmax;
  return llvm::any_of(group.operations, isReduction) ? ModelKernelForm::Rows
                                                     : ModelKernelForm::Elements;
}

/// Extents of hostile models may be anything: sums stay at the end of their range.
static uint64_t elementsOf(Value value) {
  uint64_t elements = 1;
  for (const int64_t extent : tensorType(value).getShape())
    elements = llvm::SaturatingMultiply(elements, uint64_t(extent));
  return elements;
}

/// Two for each element of the result and each step of a sum.
static uint64_t products(Value result, uint64_t depth) {
  return llvm::SaturatingMultiply(llvm::SaturatingMultiply(elementsOf(result), depth), uint64_t{2});
}

/// How many elements of a filter belong to one of M.
static uint64_t filterDepth(tm::ConvOp op) {
  const ArrayRef<int64_t> result = tensorType(op.getResult()).getShape();
  const int64_t filters = op.getChannelsLast() ? result.back() : result[1];
  return filters <= 0 ? 0 : elementsOf(op.getFilter()) / uint64_t(filters);
}

/// The same of a filter [M, …].
static uint64_t filterDepth(tm::ConvTransposeOp op) {
  const int64_t outermost = tensorType(op.getFilter()).getShape().front();
  return outermost <= 0 ? 0 : elementsOf(op.getFilter()) / uint64_t(outermost);
}

static uint64_t windowOf(ArrayRef<int64_t> kernel) {
  uint64_t elements = 1;
  for (const int64_t extent : kernel)
    elements = llvm::SaturatingMultiply(elements, uint64_t(extent));
  return elements;
}

static uint64_t flopsOf(Operation *operation) {
  Value result = operation->getResult(0);
  return llvm::TypeSwitch<Operation *, uint64_t>(operation)
      .Case([&](tm::ConvOp op) { return products(result, filterDepth(op)); })
      .Case([&](tm::ConvTransposeOp op) { return products(op.getOperand(), filterDepth(op)); })
      .Case([&](tm::MatmulOp op) {
        return products(result, uint64_t(tensorType(op.getLhs()).getShape().back()));
      })
      .Case([&](tm::GemmOp op) {
        const ArrayRef<int64_t> left = tensorType(op.getLhs()).getShape();
        return products(result, uint64_t(op.getTransposeLhs() ? left.front() : left.back()));
      })
      .Case<tm::MaxPoolOp, tm::AvgPoolOp>([&](auto op) {
        return llvm::SaturatingMultiply(elementsOf(result), windowOf(op.getKernel()));
      })
      .Case<tm::ReshapeOp, tm::ExpandOp, tm::TransposeOp, tm::SliceOp, tm::ConcatOp, tm::GatherOp,
            tm::GatherElementsOp, tm::GatherNdOp, tm::ScatterNdOp, tm::ScatterElementsOp, tm::PadOp,
            tm::TileOp, tm::DepthToSpaceOp, tm::SpaceToDepthOp, tm::TriluOp, tm::OneHotOp,
            tm::CastOp, tm::RangeOp>([](auto) { return uint64_t{0}; })
      .Default([&](Operation *) {
        uint64_t elements = elementsOf(result);
        for (const Value operand : operation->getOperands())
          elements = isReduction(operation) ? std::max(elements, elementsOf(operand)) : elements;
        return elements;
      });
}

uint64_t flopsOf(const Group &group) {
  uint64_t sum = 0;
  for (Operation *operation : group.operations)
    sum = llvm::SaturatingAdd(sum, flopsOf(operation));
  return sum;
}

bool hasWorkBehind(Operation *product, const Group &group) {
  const int64_t elements = tensorType(product->getResult(0)).getNumElements();
  const auto isRead = [&](Value operand) {
    Operation *maker = operand.getDefiningOp();
    return (!maker || !group.contains(maker)) && tensorType(operand).getNumElements() == elements;
  };
  const auto isBehind = [&](Operation *each) {
    return each != product && each->getBlock() == product->getBlock() &&
           product->isBeforeInBlock(each);
  };
  return llvm::any_of(group.operations, [&](Operation *each) {
    return isBehind(each) && (isa<tm::ErfOp, tm::GeluOp, tm::TanhOp, tm::ExpOp, tm::SigmoidOp,
                                  tm::SoftplusOp, tm::EluOp, tm::PowOp>(each) ||
                              llvm::any_of(each->getOperands(), isRead));
  });
}

} // namespace tilescope::model
