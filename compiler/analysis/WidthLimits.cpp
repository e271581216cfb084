// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/analysis/WidthLimits.h"

#include "compiler/dialects/ttg/ir/Dialect.h"
#include "compiler/dialects/ttg/ir/LayoutBridge.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

#include <algorithm>

using namespace mlir;

namespace tilescope::compiler {

int64_t WidthLimits::width() const {
  return std::max<int64_t>(1, std::min({contiguity, alignment, perThread, maskConstancy}));
}

/// Registers from register 0 on that lie side by side along the dimension, and nothing else.
static int64_t registersAlong(const LinearLayout &layout, Dim dim) {
  int bits = 0;
  for (; bits < layout.inBits(Dim::Register); ++bits)
    for (const DimBits &out : layout.outs())
      if (layout.basis(Dim::Register, bits, out.dim) != (out.dim == dim ? int64_t(1) << bits : 0))
        return int64_t(1) << bits;
  return int64_t(1) << bits;
}

WidthLimits widthLimits(const AxisInfoMap &axes, Value pointers, Value mask) {
  WidthLimits limits{.pointers = pointers, .mask = mask};
  auto type = dyn_cast<RankedTensorType>(pointers.getType());
  if (!type || !type.getEncoding())
    return limits;
  const unsigned fastest = ttg::fastestDims(type).front();
  limits.dimension = static_cast<int>(fastest);
  const LinearLayout layout = ttg::toLinearLayout(type).removeZeroBases(Dim::Register);
  limits.perThread = std::min<int64_t>(ttg::contiguousPerThread(type)[fastest],
                                       registersAlong(layout, tensorDim(limits.dimension)));
  if (const AxisInfo *info = axes.find(pointers)) {
    const int64_t bytes =
        std::max<int64_t>(1, tt::getElementBitWidth(tt::getPointeeType(type)) / 8);
    limits.contiguity = info->contiguity[fastest];
    limits.alignment = std::max<int64_t>(1, info->divisibility[fastest] / bytes);
  }
  limits.maskConstancy = mask ? axes.maskAlignment(mask) : AxisInfo::kMaxDivisor;
  return limits;
}

/// What a block's argument is given by the jumps to it; nothing for a function's.
static SmallVector<Value> incomingValues(BlockArgument argument) {
  SmallVector<Value> values;
  Block *block = argument.getOwner();
  for (auto it = block->pred_begin(); it != block->pred_end(); ++it)
    if (auto branch = dyn_cast<BranchOpInterface>((*it)->getTerminator()))
      values.push_back(
          branch.getSuccessorOperands(it.getSuccessorIndex())[argument.getArgNumber()]);
  return values;
}

namespace {
/// Follows values back to what keeps them from being multiples of more.
class CauseSearch {
public:
  explicit CauseSearch(const AxisInfoMap &axes) : m_axes(axes) {}

  /// Of several causes, an argument of the function: that is what a hint can be given for.
  Value find(Value value, int dim);

private:
  SmallVector<Value> sources(Value value, int &dim) const;
  int64_t divisorOf(Value value, int dim) const;

  const AxisInfoMap &m_axes;
  llvm::SmallPtrSet<void *, 16> m_seen;
};
} // namespace

static bool isOfFunction(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  return argument && argument.getOwner()->isEntryBlock();
}

/// What a value is computed from; nothing where the search ends.
SmallVector<Value> CauseSearch::sources(Value value, int &dim) const {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return incomingValues(argument);
  Operation *op = value.getDefiningOp();
  if (!isMemoryEffectFree(op) || op->getNumRegions() > 0)
    return {};
  if (auto expand = dyn_cast<tt::ExpandDimsOp>(op))
    dim = dim > static_cast<int>(expand.getAxis()) ? dim - 1 : dim;
  return SmallVector<Value>(op->getOperands());
}

/// The divisor in the unit of what the value is used for: offsets count elements, pointers bytes.
int64_t CauseSearch::divisorOf(Value value, int dim) const {
  const AxisInfo *info = m_axes.find(value);
  if (!info || info->constant)
    return AxisInfo::kMaxDivisor;
  const auto at = std::min<size_t>(static_cast<size_t>(dim), info->divisibility.size() - 1);
  auto pointer = dyn_cast<tt::PointerType>(getElementTypeOrSelf(value.getType()));
  const int64_t bytes =
      pointer ? std::max<int64_t>(1, tt::getElementBitWidth(pointer.getPointeeType()) / 8) : 1;
  return std::max<int64_t>(1, info->divisibility[at] / bytes);
}

Value CauseSearch::find(Value value, int dim) {
  if (!m_seen.insert(value.getAsOpaquePointer()).second)
    return {};
  const SmallVector<Value> all = sources(value, dim);
  int64_t least = AxisInfo::kMaxDivisor;
  for (Value source : all)
    least = std::min(least, divisorOf(source, dim));
  Value cause;
  for (Value source : all) {
    if (divisorOf(source, dim) != least || least == AxisInfo::kMaxDivisor)
      continue;
    const Value found = find(source, dim);
    if (found && isOfFunction(found))
      return found;
    cause = cause ? cause : found;
  }
  return cause ? cause : value;
}

static bool isDivision(Operation *op) {
  return isa_and_nonnull<arith::DivSIOp, arith::DivUIOp, arith::FloorDivSIOp, arith::CeilDivSIOp,
                         arith::RemSIOp, arith::RemUIOp>(op);
}

static bool isRemainder(Operation *op) {
  return isa_and_nonnull<arith::RemSIOp, arith::RemUIOp>(op);
}

/// Neighbours along a dimension of a block; 1 for what has none.
static int64_t contiguityOf(const AxisInfoMap &axes, Value value, int dim) {
  const AxisInfo *info = axes.find(value);
  return info && dim < static_cast<int>(info->contiguity.size())
             ? info->contiguity[static_cast<size_t>(dim)]
             : 1;
}

/// The division on the way to the pointers that has more neighbours before it than behind it. Of
/// several a remainder: a quotient of neighbours is the same number for most of them.
static Operation *findHidingDivision(const AxisInfoMap &axes, Value pointers, int dimension) {
  SmallVector<std::pair<Value, int>> work{{pointers, dimension}};
  llvm::SmallPtrSet<void *, 16> seen;
  Operation *found = nullptr;
  while (!work.empty()) {
    auto [value, dim] = work.pop_back_val();
    Operation *op = value.getDefiningOp();
    if (!op || !isa<RankedTensorType>(value.getType()) ||
        !seen.insert(value.getAsOpaquePointer()).second)
      continue;
    if (isDivision(op) &&
        contiguityOf(axes, op->getOperand(0), dim) > contiguityOf(axes, value, dim)) {
      if (!found || (isRemainder(op) && !isRemainder(found)))
        found = op;
      continue;
    }
    if (!isMemoryEffectFree(op) || op->getNumRegions() > 0)
      continue;
    if (auto expand = dyn_cast<tt::ExpandDimsOp>(op)) {
      const int axis = static_cast<int>(expand.getAxis());
      if (dim == axis)
        continue;
      dim = dim > axis ? dim - 1 : dim;
    }
    for (Value operand : op->getOperands())
      work.push_back({operand, dim});
  }
  return found;
}

/// Whether neighbours along a dimension are neighbours in memory, backwards: their number is taken away
/// from what is the same for all of them.
static bool isReversed(const AxisInfoMap &axes, Value value, int dim, int depth = 0) {
  static constexpr int kMaxDepth = 16;
  Operation *op = value.getDefiningOp();
  if (!op || depth > kMaxDepth || !isa<RankedTensorType>(value.getType()))
    return false;
  const auto isSame = [&](Value each) {
    const AxisInfo *info = axes.find(each);
    auto type = dyn_cast<RankedTensorType>(each.getType());
    return info && type && info->constancy[static_cast<size_t>(dim)] >= type.getDimSize(dim);
  };
  if (isa<arith::SubIOp>(op) && isSame(op->getOperand(0)))
    return contiguityOf(axes, op->getOperand(1), dim) > 1;
  if (auto expand = dyn_cast<tt::ExpandDimsOp>(op)) {
    const int axis = static_cast<int>(expand.getAxis());
    return dim != axis && isReversed(axes, expand.getSrc(), dim > axis ? dim - 1 : dim, depth + 1);
  }
  if (isa<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, tt::BroadcastOp, ttg::ConvertLayoutOp>(
          op))
    return isReversed(axes, op->getOperand(0), dim, depth + 1);
  if (!isa<tt::AddPtrOp, arith::AddIOp>(op))
    return false;
  const Value left = op->getOperand(0), right = op->getOperand(1);
  return isSame(left)    ? isReversed(axes, right, dim, depth + 1)
         : isSame(right) ? isReversed(axes, left, dim, depth + 1)
                         : false;
}

/// What a mask is compared with, as far as its own form shows it: of `a < b && c < d` both.
static void findBounds(Value mask, SmallVectorImpl<Value> &bounds) {
  Operation *op = mask.getDefiningOp();
  if (!op)
    return;
  if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
    bounds.push_back(compare.getLhs());
    bounds.push_back(compare.getRhs());
    return;
  }
  if (isa<arith::AndIOp, arith::OrIOp, tt::BroadcastOp, tt::ExpandDimsOp, ttg::ConvertLayoutOp>(op))
    for (Value operand : op->getOperands())
      findBounds(operand, bounds);
}

static Value findMaskCause(const AxisInfoMap &axes, const WidthLimits &limits) {
  SmallVector<Value> bounds;
  findBounds(limits.mask, bounds);
  for (Value bound : bounds) {
    const AxisInfo *info = axes.find(bound);
    if (!info || info->constant)
      continue;
    const auto dim =
        std::min<size_t>(static_cast<size_t>(limits.dimension), info->constancy.size() - 1);
    // The side that does not step is the bound.
    if (info->constancy[dim] > limits.maskConstancy &&
        info->divisibility[dim] <= limits.maskConstancy)
      return CauseSearch(axes).find(bound, static_cast<int>(dim));
  }
  return {};
}

std::pair<WidthLimit, Value> explainWidth(const AxisInfoMap &axes, const WidthLimits &limits,
                                          int64_t width, int64_t elementBytes) {
  constexpr int64_t kWidestBytes = 16;
  WidthLimit limit;
  limit.dimension = limits.dimension;
  if (auto type = dyn_cast<RankedTensorType>(limits.pointers.getType()))
    limit.rank = static_cast<int32_t>(type.getRank());
  limit.elements = width;
  if (limits.dimension < 0) {
    limit.reason = WidthReason::Scalar;
    return {limit, Value()};
  }
  if (width * elementBytes >= kWidestBytes)
    return {limit, Value()};
  // A thread that has no more elements of the block moves no more, whatever their addresses are.
  if (auto type = dyn_cast<RankedTensorType>(limits.pointers.getType());
      type && type.getEncoding() && ttg::elementsPerThread(type) <= width) {
    limit.reason = WidthReason::Layout;
    return {limit, Value()};
  }
  // Otherwise a layout follows the addresses, so these come first.
  if (limits.contiguity <= width) {
    limit.reason = WidthReason::Contiguity;
    limit.isReversed = isReversed(axes, limits.pointers, limits.dimension);
    Operation *hiding = findHidingDivision(axes, limits.pointers, limits.dimension);
    if (!hiding)
      return {limit, Value()};
    limit.hiddenBy = isRemainder(hiding) ? "remainder" : "division";
    return {limit, hiding->getResult(0)};
  }
  if (limits.alignment <= width) {
    limit.reason = WidthReason::Divisibility;
    return {limit, CauseSearch(axes).find(limits.pointers, limits.dimension)};
  }
  if (limits.maskConstancy <= width) {
    limit.reason = WidthReason::Mask;
    return {limit, findMaskCause(axes, limits)};
  }
  limit.reason = WidthReason::Layout;
  return {limit, Value()};
}

} // namespace tilescope::compiler
