// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/tt_to_cpu/WholeTiles.h"

#include "compiler/conversion/tt_to_cpu/Elementwise.h"
#include "compiler/conversion/tt_to_cpu/Lowering.h"
#include "compiler/conversion/tt_to_cpu/Support.h"
#include "compiler/conversion/tt_to_cpu/Vectors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace tilescope::cpu {

/// Fewer tiles are not worth a second loop.
static constexpr int64_t kFewestTiles = 4;

/// The one operand of operations that leave the elements as they are.
static Value reshapedSource(Value block) {
  Operation *op = block.getDefiningOp();
  return op && isa<tt::BroadcastOp, tt::ExpandDimsOp, tt::TransOp>(op) ? op->getOperand(0)
                                                                       : Value();
}

std::optional<Ramp> rampOf(Value block) {
  if (Value source = reshapedSource(block))
    return rampOf(source);
  if (auto range = block.getDefiningOp<tt::MakeRangeOp>())
    return Ramp{{}, int64_t(range.getStart()), int64_t(range.getEnd()) - int64_t(range.getStart())};
  auto sum = block.getDefiningOp<arith::AddIOp>();
  if (!sum)
    return std::nullopt;
  const bool isLeft = isUniform(sum.getLhs());
  if (isLeft == isUniform(sum.getRhs()))
    return std::nullopt;
  std::optional<Ramp> ramp = rampOf(isLeft ? sum.getRhs() : sum.getLhs());
  if (ramp)
    ramp->uniform.push_back(isLeft ? sum.getLhs() : sum.getRhs());
  return ramp;
}

std::optional<RampBound> rampBoundOf(Value condition) {
  if (Value source = reshapedSource(condition))
    return rampBoundOf(source);
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  if (!compare || !getElementTypeOrSelf(compare.getLhs().getType()).isInteger(32))
    return std::nullopt;
  using P = arith::CmpIPredicate;
  const P predicate = compare.getPredicate();
  Value below = compare.getLhs(), above = compare.getRhs();
  if (predicate == P::sgt || predicate == P::sge)
    std::swap(below, above);
  else if (predicate != P::slt && predicate != P::sle)
    return std::nullopt;
  const std::optional<Ramp> ramp = rampOf(below);
  if (!ramp || !isUniform(above))
    return std::nullopt;
  return RampBound{*ramp, above, predicate == P::sle || predicate == P::sge};
}

namespace {
/// The conditions that masks of what is needed are joined of.
class MaskConditions {
public:
  explicit MaskConditions(const llvm::DenseMap<Value, Buffer> &buffers) : m_buffers(buffers) {}

  void addNeeded(Value block) {
    Operation *op = block.getDefiningOp();
    if (!op || !isa<RankedTensorType>(block.getType()) || m_buffers.contains(block) ||
        !m_seen.insert(block).second)
      return;
    if (getElementTypeOrSelf(block.getType()).isInteger(1))
      addMask(block);
    if (auto load = dyn_cast<tt::LoadOp>(op); load && load.getMask())
      addMask(load.getMask());
    if (isDeferred(op))
      for (Value operand : op->getOperands())
        addNeeded(operand);
  }

  llvm::SetVector<Value> found;

private:
  void addMask(Value mask) {
    if (m_buffers.contains(mask))
      return;
    if (isUniform(mask) || mask.getDefiningOp<arith::CmpIOp>())
      found.insert(mask);
    else if (auto both = mask.getDefiningOp<arith::AndIOp>())
      for (Value operand : both->getOperands())
        addMask(operand);
    else if (Value source = reshapedSource(mask))
      addMask(source);
  }

  const llvm::DenseMap<Value, Buffer> &m_buffers;
  llvm::DenseSet<Value> m_seen;
};
} // namespace

/// The one element of a block whose elements are all equal.
Value KernelLowering::uniformElement(Value block) {
  Place first;
  if (auto type = dyn_cast<RankedTensorType>(block.getType()))
    first.indices.assign(static_cast<size_t>(type.getRank()), m_zero);
  return at(block, first);
}

/// For how many of the first elements of the ramp it holds, or a number outside of its extent.
Value KernelLowering::numBelow(const RampBound &bounded) {
  const auto number = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(m_builder, m_loc, value, 64);
  };
  const auto widened = [&](Value block) -> Value {
    return arith::ExtSIOp::create(m_builder, m_loc, m_builder.getI64Type(), uniformElement(block));
  };
  Value base;
  for (Value each : bounded.ramp.uniform)
    base =
        base ? Value(arith::AddIOp::create(m_builder, m_loc, base, widened(each))) : widened(each);
  const int64_t behind = (bounded.isInclusive ? 1 : 0) - bounded.ramp.start;
  Value count = arith::AddIOp::create(m_builder, m_loc, widened(bounded.bound), number(behind));
  if (!base)
    return count;
  count = arith::SubIOp::create(m_builder, m_loc, count, base);
  if (bounded.ramp.uniform.size() == 1)
    return count;
  // A sum below all numbers of 32 bits is another one in them.
  Value isSum =
      arith::CmpIOp::create(m_builder, m_loc, arith::CmpIPredicate::sge, base, number(INT32_MIN));
  return arith::SelectOp::create(m_builder, m_loc, isSum, count, number(0));
}

WholeTiles KernelLowering::wholeTiles(ArrayRef<int64_t> shape, const Lanes &lanes,
                                      ArrayRef<Value> needed) {
  // Each lane that is at fault is to be found where bounds are checked.
  if (m_options.checkBounds || lanes.dim < 0)
    return {};
  int64_t numElements = 1;
  for (int64_t extent : shape)
    numElements *= extent;
  if (numElements < kFewestTiles * lanes.count)
    return {};
  MaskConditions masks(m_buffers);
  for (Value block : needed)
    masks.addNeeded(block);
  const auto number = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(m_builder, m_loc, value, 64);
  };
  const bool isOneLoop = shape.size() == 1;
  Nest nest(m_builder, shape, lanes, m_zero);
  m_nest = &nest;
  WholeTiles whole;
  for (Value condition : masks.found) {
    const std::optional<RampBound> bounded = rampBoundOf(condition);
    if (!bounded && !isUniform(condition))
      continue;
    if (bounded && isOneLoop && bounded->ramp.extent != shape[0])
      continue;
    // Of which as many are wanted as the loop has, or all.
    const int64_t extent = isOneLoop ? shape[0] : bounded ? bounded->ramp.extent : 1;
    Value count = bounded ? numBelow(*bounded)
                          : arith::SelectOp::create(m_builder, m_loc, uniformElement(condition),
                                                    number(extent), number(0));
    whole.conditions.push_back(condition);
    if (!isOneLoop) {
      Value holds =
          arith::CmpIOp::create(m_builder, m_loc, arith::CmpIPredicate::sge, count, number(extent));
      whole.isAll =
          whole.isAll ? Value(arith::AndIOp::create(m_builder, m_loc, whole.isAll, holds)) : holds;
    } else {
      whole.end =
          whole.end ? Value(arith::MinSIOp::create(m_builder, m_loc, whole.end, count)) : count;
    }
  }
  m_nest = nullptr;
  return finishWhole(std::move(whole), shape, lanes);
}

/// From the number of elements, or whether it is all, to both.
WholeTiles KernelLowering::finishWhole(WholeTiles whole, ArrayRef<int64_t> shape,
                                       const Lanes &lanes) {
  const auto number = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(m_builder, m_loc, value, 64);
  };
  if (whole.conditions.empty())
    return whole;
  const int64_t extent = shape[static_cast<size_t>(lanes.dim)];
  if (whole.isAll) {
    whole.end = arith::SelectOp::create(m_builder, m_loc, whole.isAll, number(extent), number(0));
    return whole;
  }
  Value most = arith::MinSIOp::create(m_builder, m_loc, whole.end, number(extent));
  most = arith::MaxSIOp::create(m_builder, m_loc, most, number(0));
  // The last step of a loop may be shorter than the lanes of all others are.
  Value steps = arith::DivUIOp::create(m_builder, m_loc, most, number(lanes.count));
  whole.end = arith::MulIOp::create(m_builder, m_loc, steps, number(lanes.count));
  whole.isAll =
      arith::CmpIOp::create(m_builder, m_loc, arith::CmpIPredicate::eq, whole.end, number(extent));
  return whole;
}

void KernelLowering::withoutMasks(const WholeTiles &whole, llvm::function_ref<void()> body) {
  m_known.insert(whole.conditions.begin(), whole.conditions.end());
  body();
  m_known.clear();
}

void KernelLowering::forEachCase(const WholeTiles &whole, llvm::function_ref<void()> body) {
  if (whole.conditions.empty())
    return body();
  auto branch = scf::IfOp::create(m_builder, m_loc, whole.isAll, /*withElseRegion=*/true);
  m_builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  withoutMasks(whole, body);
  m_builder.setInsertionPoint(branch.elseBlock()->getTerminator());
  body();
  m_builder.setInsertionPointAfter(branch);
}

} // namespace tilescope::cpu
