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

static Value number(OpBuilder &b, Location loc, int64_t value) {
  return arith::ConstantIntOp::create(b, loc, value, 64);
}

/// The one element of a block whose elements are all equal.
Value KernelLowering::uniformElement(Value block) {
  Place first;
  if (auto type = dyn_cast<RankedTensorType>(block.getType()))
    first.indices.assign(static_cast<size_t>(type.getRank()), m_zero);
  return at(block, first);
}

/// For how many of the first elements of the ramp it holds, or a number outside of its extent. `elementOf`: of a block whose
/// elements are all equal.
static Value numBelow(OpBuilder &b, Location loc, const RampBound &bounded,
                      llvm::function_ref<Value(Value)> elementOf) {
  const auto widened = [&](Value block) -> Value {
    return arith::ExtSIOp::create(b, loc, b.getI64Type(), elementOf(block));
  };
  Value base;
  for (Value each : bounded.ramp.uniform)
    base = base ? Value(arith::AddIOp::create(b, loc, base, widened(each))) : widened(each);
  const int64_t behind = (bounded.isInclusive ? 1 : 0) - bounded.ramp.start;
  Value count = arith::AddIOp::create(b, loc, widened(bounded.bound), number(b, loc, behind));
  if (!base)
    return count;
  count = arith::SubIOp::create(b, loc, count, base);
  if (bounded.ramp.uniform.size() == 1)
    return count;
  // A sum below all numbers of 32 bits is another one in them.
  Value isSum =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, base, number(b, loc, INT32_MIN));
  return arith::SelectOp::create(b, loc, isSum, count, number(b, loc, 0));
}

/// From the number of elements, or whether it is all, to both.
static WholeTiles finished(OpBuilder &b, Location loc, WholeTiles whole, int64_t extent,
                           int64_t step) {
  if (whole.conditions.empty())
    return whole;
  Value all = number(b, loc, extent), none = number(b, loc, 0), each = number(b, loc, step);
  if (whole.isAll) {
    whole.end = arith::SelectOp::create(b, loc, whole.isAll, all, none);
    return whole;
  }
  Value most = arith::MinSIOp::create(b, loc, whole.end, all);
  most = arith::MaxSIOp::create(b, loc, most, none);
  Value steps = arith::DivUIOp::create(b, loc, most, each);
  whole.end = arith::MulIOp::create(b, loc, steps, each);
  whole.isAll = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, whole.end, all);
  return whole;
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
    Value extent = number(m_builder, m_loc,
                          isOneLoop ? shape[0]
                          : bounded ? bounded->ramp.extent
                                    : 1);
    Value count = bounded ? numBelow(m_builder, m_loc, *bounded,
                                     [&](Value block) { return uniformElement(block); })
                          : arith::SelectOp::create(m_builder, m_loc, uniformElement(condition),
                                                    extent, m_zero);
    whole.conditions.push_back(condition);
    if (isOneLoop) {
      whole.end =
          whole.end ? Value(arith::MinSIOp::create(m_builder, m_loc, whole.end, count)) : count;
      continue;
    }
    Value holds = arith::CmpIOp::create(m_builder, m_loc, arith::CmpIPredicate::sge, count, extent);
    whole.isAll =
        whole.isAll ? Value(arith::AndIOp::create(m_builder, m_loc, whole.isAll, holds)) : holds;
  }
  m_nest = nullptr;
  return finished(m_builder, m_loc, std::move(whole), shape[static_cast<size_t>(lanes.dim)],
                  lanes.count);
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
