// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/DescribeConversion.h"

#include "compiler/conversion/ttg_to_llvm/common/Scratch.h"
#include "compiler/dialects/ttg/ir/LayoutFactsOf.h"
#include "compiler/dialects/ttng/ir/Dialect.h"
#include "compiler/pipeline/KernelAccesses.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <deque>

using namespace mlir;

namespace tilescope::compiler {

/// Values that are looked at on the way from a conversion to the operation that its layout is for.
static constexpr size_t kMostValues = 256;

static std::string printed(Attribute attribute) {
  std::string text;
  llvm::raw_string_ostream(text) << attribute;
  return text;
}

/// Operations that ask for a layout, or make one, by themselves; others take what they get.
static bool decidesLayout(Operation *op) {
  return isa<tt::LoadOp, tt::StoreOp, tt::AtomicRMWOp, tt::AtomicCASOp, tt::DotOp, tt::DotScaledOp,
             tt::ReduceOp, tt::ScanOp, tt::GatherOp, tt::HistogramOp, tt::DescriptorLoadOp,
             tt::DescriptorStoreOp, tt::DescriptorGatherOp, ttg::LocalLoadOp, ttg::LocalStoreOp,
             ttg::LocalAllocOp, ttg::AsyncCopyGlobalToLocalOp, ttg::ConvertLayoutOp,
             ttng::WarpGroupDotOp>(op);
}

/// Its layout follows from another one: that of a range or a constant is the first one's that
/// wants it.
static bool isFree(Operation *op) {
  return isa<tt::MakeRangeOp, tt::SplatOp>(op) || op->hasTrait<OpTrait::ConstantLike>();
}

/// Whether the layout is a product's, or made from one: no load and no store asks for such a layout.
static bool isOfProduct(Value value) {
  Attribute encoding = cast<RankedTensorType>(value.getType()).getEncoding();
  while (auto slice = dyn_cast_or_null<ttg::SliceEncodingAttr>(encoding))
    encoding = slice.getParent();
  return isa_and_nonnull<ttg::NvidiaMmaEncodingAttr>(encoding);
}

namespace {
/// Values yet to be looked at, each once.
class Pending {
public:
  void push(Value value) {
    if (isa<RankedTensorType>(value.getType()) && m_seen.size() < kMostValues &&
        m_seen.insert(value).second)
      m_values.push_back(value);
  }
  Value pop() {
    if (m_values.empty())
      return {};
    const Value value = m_values.front();
    m_values.pop_front();
    return value;
  }

private:
  std::deque<Value> m_values;
  llvm::DenseSet<Value> m_seen;
};
} // namespace

static ConversionEnd endAt(Operation *op, int32_t operand, const StageSources &sources) {
  return {op->getName().getStringRef().str(), sources.of(op), operand};
}

/// What a value that a region is given comes from: of a loop, what the iteration before yields, and
/// what it begins with.
static void pushBehind(BlockArgument argument, Pending &pending) {
  auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
  if (!loop || argument == loop.getInductionVar())
    return;
  if (OpOperand *yielded = loop.getTiedLoopYieldedValue(argument))
    pending.push(yielded->get());
  if (OpOperand *begun = loop.getTiedLoopInit(argument))
    pending.push(begun->get());
}

/// The operation that the value's layout comes from: the nearest one behind it that decides.
static ConversionEnd sourceOf(Value value, const StageSources &sources) {
  Pending pending;
  pending.push(value);
  ConversionEnd first;
  while (const Value next = pending.pop()) {
    auto argument = dyn_cast<BlockArgument>(next);
    if (argument) {
      pushBehind(argument, pending);
      continue;
    }
    Operation *op = next.getDefiningOp();
    if (isa<tt::LoadOp>(op) && isOfProduct(next))
      continue;
    if (decidesLayout(op))
      return endAt(op, 0, sources);
    if (first.operation.empty() && !isFree(op) && op->getNumRegions() == 0)
      first = endAt(op, 0, sources);
    const auto result = cast<OpResult>(next).getResultNumber();
    if (auto loop = dyn_cast<scf::ForOp>(op))
      pending.push(loop.getYieldedValues()[result]);
    else if (auto branch = dyn_cast<scf::IfOp>(op))
      pending.push(branch.thenYield().getOperand(result));
    for (const Value operand : op->getNumRegions() == 0 ? op->getOperands() : ValueRange())
      pending.push(operand);
  }
  return first;
}

/// Where a yielded value goes: out of the region, and to the next iteration.
static void pushBeyond(scf::YieldOp yield, unsigned number, Pending &pending) {
  Operation *parent = yield->getParentOp();
  if (number < parent->getNumResults())
    pending.push(parent->getResult(number));
  if (auto loop = dyn_cast<scf::ForOp>(parent))
    pending.push(loop.getRegionIterArg(number));
}

/// The operation that the value's layout is for: the nearest one that uses it and decides.
static ConversionEnd destinationOf(Value value, const StageSources &sources) {
  Pending pending;
  pending.push(value);
  ConversionEnd first;
  while (const Value next = pending.pop())
    for (OpOperand &use : next.getUses()) {
      Operation *op = use.getOwner();
      const auto number = static_cast<int32_t>(use.getOperandNumber());
      if (decidesLayout(op))
        return endAt(op, number, sources);
      if (auto yield = dyn_cast<scf::YieldOp>(op)) {
        pushBeyond(yield, use.getOperandNumber(), pending);
        continue;
      }
      if (auto loop = dyn_cast<scf::ForOp>(op)) {
        if (const BlockArgument argument = loop.getTiedLoopRegionIterArg(&use))
          pending.push(argument);
        continue;
      }
      if (first.operation.empty())
        first = endAt(op, number, sources);
      for (const Value result : op->getResults())
        pending.push(result);
    }
  return first;
}

ConversionFacts describeConversion(ttg::ConvertLayoutOp op, const PlannedAccesses &planned,
                                   const StageSources &sources) {
  const OperationConversion &conversion = *planned.conversion;
  auto from = cast<RankedTensorType>(op.getSrc().getType());
  auto to = cast<RankedTensorType>(op.getType());
  const auto rank = static_cast<int>(to.getRank());
  ConversionFacts facts;
  facts.moves = conversion.moves;
  facts.shuffles = conversion.shuffles;
  facts.parts = conversion.parts;
  facts.shape.assign(to.getShape().begin(), to.getShape().end());
  llvm::raw_string_ostream(facts.elementType) << to.getElementType();
  facts.elementBits = static_cast<int32_t>(tt::getElementBitWidth(to.getElementType()));
  facts.bytes = to.getNumElements() * sharedElementBytes(to.getElementType());
  facts.from = printed(from.getEncoding());
  facts.to = printed(to.getEncoding());
  facts.fromLayout = ttg::basesOf(conversion.from, rank);
  facts.toLayout = ttg::basesOf(conversion.to, rank);
  for (const OperationAccess &access : planned.accesses) {
    const AccessCounts counts =
        access::countSharedExecution(access.plan) * static_cast<uint64_t>(access.repeats);
    facts.sharedAccesses.push_back({access.plan.action, access.plan.vectorBytes(),
                                    counts.wavefronts, counts.minimumWavefronts});
  }
  facts.source = sourceOf(op.getSrc(), sources);
  facts.destination = destinationOf(op.getResult(), sources);
  return facts;
}

} // namespace tilescope::compiler
