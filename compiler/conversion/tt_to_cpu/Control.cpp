// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Loops and branches. A block that a loop carries has two buffers: an iteration reads one and writes
// the other, and the next has them exchanged. Sums of products are added to in one.
#include "compiler/conversion/tt_to_cpu/Lowering.h"
#include "compiler/conversion/tt_to_cpu/Vectors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tilescope::cpu {

static RankedTensorType blockType(Value value) {
  return dyn_cast<RankedTensorType>(value.getType());
}

/// Computes what a region yields: blocks into their targets, one for each, scalars as they are.
void KernelLowering::yieldInto(ValueRange values, ArrayRef<Buffer> targets,
                               SmallVectorImpl<Value> &scalars) {
  const Buffer *target = targets.begin();
  for (Value value : values) {
    if (blockType(value))
      fill(*target++, value);
    else
      scalars.push_back(scalar(value));
  }
}

/// A buffer for each block among the values.
SmallVector<Buffer> KernelLowering::allocateFor(ValueRange values) {
  SmallVector<Buffer> buffers;
  for (Value value : values)
    if (RankedTensorType type = blockType(value))
      buffers.push_back(allocate(type));
  return buffers;
}

/// States where the values of a region, or behind it, are: scalars and buffers, each in their order.
void KernelLowering::bind(ValueRange values, ValueRange scalars, ArrayRef<Buffer> buffers) {
  const Buffer *buffer = buffers.begin();
  auto next = scalars.begin();
  for (Value value : values) {
    if (blockType(value))
      m_buffers[value] = *buffer++;
    else
      m_scalars.map(value, *next++);
  }
}

/// Emits what a region has. Blocks of outside that it keeps are kept inside alone: control may pass it by.
static void inRegion(llvm::DenseMap<Value, Buffer> &buffers, llvm::function_ref<void()> emit) {
  const llvm::DenseMap<Value, Buffer> outside = buffers;
  emit();
  buffers = outside;
}

/// Lets blocks that nothing else uses be computed where the loop expects them.
void KernelLowering::expectIn(ValueRange yielded, ArrayRef<Buffer> targets) {
  const Buffer *target = targets.begin();
  for (Value value : yielded)
    if (blockType(value)) {
      if (value.hasOneUse())
        m_destinations[value] = *target;
      ++target;
    }
}

/// For each block that the loop carries, whether it is a sum of products that nothing else reads: each tile of it is read
/// and then written in its place, so that one buffer is enough, and half as much memory goes through the caches.
static SmallVector<bool> sumsInPlace(scf::ForOp loop) {
  SmallVector<bool> sums;
  for (auto [carried, yielded] : llvm::zip(loop.getRegionIterArgs(), loop.getYieldedValues())) {
    if (!blockType(carried))
      continue;
    auto dot = yielded.getDefiningOp<tt::DotOp>();
    sums.push_back(dot && dot->getBlock() == loop.getBody() && dot.getC() == carried &&
                   carried.hasOneUse() && yielded.hasOneUse());
  }
  return sums;
}

namespace {
/// The buffers of what a loop carries: those that it exchanges have a base of their own in each iteration.
struct CarriedBuffers {
  SmallVector<Buffer> buffers;
  SmallVector<bool> stay;

  SmallVector<Value> exchanged() const {
    SmallVector<Value> bases;
    for (auto [buffer, stays] : llvm::zip(buffers, stay))
      if (!stays)
        bases.push_back(buffer.base);
    return bases;
  }
  SmallVector<Buffer> at(ValueRange bases) const {
    SmallVector<Buffer> result(buffers);
    auto next = bases.begin();
    for (auto [buffer, stays] : llvm::zip(result, stay))
      if (!stays)
        buffer.base = *next++;
    return result;
  }
};
} // namespace

void KernelLowering::lowerFor(scf::ForOp loop) {
  SmallVector<Value> carried;
  CarriedBuffers first{allocateFor(loop.getInitArgs()), sumsInPlace(loop)};
  CarriedBuffers second = first;
  for (auto [buffer, stays] : llvm::zip(second.buffers, second.stay))
    if (!stays)
      buffer = allocate(buffer.type);
  yieldInto(loop.getInitArgs(), first.buffers, carried);
  const size_t numScalars = carried.size(), numExchanged = first.exchanged().size();
  llvm::append_range(carried, first.exchanged());
  llvm::append_range(carried, second.exchanged());
  auto lowered = scf::ForOp::create(m_builder, m_loc, scalar(loop.getLowerBound()),
                                    scalar(loop.getUpperBound()), scalar(loop.getStep()), carried,
                                    /*bodyBuilder=*/nullptr, loop.getUnsignedCmp());
  m_builder.setInsertionPointToStart(lowered.getBody());
  m_scalars.map(loop.getInductionVar(), lowered.getInductionVar());
  const ValueRange arguments = lowered.getRegionIterArgs();
  const ValueRange read = arguments.slice(numScalars, numExchanged);
  const ValueRange written = arguments.drop_front(numScalars + numExchanged);
  const SmallVector<Buffer> next = first.at(written);
  expectIn(loop.getYieldedValues(), next);
  SmallVector<Value> yielded;
  inRegion(m_buffers, [&] {
    bind(loop.getRegionIterArgs(), arguments.take_front(numScalars), first.at(read));
    lowerBlock(*loop.getBody());
    yieldInto(loop.getYieldedValues(), next, yielded);
  });
  llvm::append_range(yielded, written);
  llvm::append_range(yielded, read);
  if (!yielded.empty())
    scf::YieldOp::create(m_builder, m_loc, yielded);
  m_builder.setInsertionPointAfter(lowered);
  const ValueRange results = lowered.getResults();
  bind(loop.getResults(), results.take_front(numScalars),
       first.at(results.slice(numScalars, numExchanged)));
}

static SmallVector<Type> scalarTypes(ValueRange values) {
  SmallVector<Type> types;
  for (Value value : values)
    if (!blockType(value))
      types.push_back(elementTypeOf(value.getType()));
  return types;
}

void KernelLowering::lowerIf(scf::IfOp branch) {
  const Location loc = m_loc;
  const SmallVector<Buffer> results = allocateFor(branch.getResults());
  const bool hasElse = !branch.getElseRegion().empty();
  auto lowered = scf::IfOp::create(m_builder, loc, scalarTypes(branch.getResults()),
                                   scalar(branch.getCondition()), /*addThenBlock=*/true, hasElse);
  auto lowerSide = [&](Block &from, Block &to) {
    m_builder.setInsertionPointToStart(&to);
    SmallVector<Value> yielded;
    inRegion(m_buffers, [&] {
      lowerBlock(from);
      yieldInto(from.getTerminator()->getOperands(), results, yielded);
    });
    scf::YieldOp::create(m_builder, loc, yielded);
  };
  lowerSide(*branch.thenBlock(), *lowered.thenBlock());
  if (hasElse)
    lowerSide(*branch.elseBlock(), *lowered.elseBlock());
  m_builder.setInsertionPointAfter(lowered);
  bind(branch.getResults(), lowered.getResults(), results);
}

void KernelLowering::lowerWhile(scf::WhileOp loop) {
  const SmallVector<Buffer> before = allocateFor(loop.getInits());
  const SmallVector<Buffer> after = allocateFor(loop.getResults());
  SmallVector<Value> inits;
  yieldInto(loop.getInits(), before, inits);
  auto lowered = scf::WhileOp::create(
      m_builder, m_loc, scalarTypes(loop.getResults()), inits,
      [&](OpBuilder &, Location, ValueRange arguments) {
        scf::ConditionOp condition = loop.getConditionOp();
        SmallVector<Value> passed;
        inRegion(m_buffers, [&] {
          bind(loop.getBeforeArguments(), arguments, before);
          lowerBlock(*loop.getBeforeBody());
          yieldInto(condition.getArgs(), after, passed);
        });
        scf::ConditionOp::create(m_builder, m_loc, scalar(condition.getCondition()), passed);
      },
      [&](OpBuilder &, Location, ValueRange arguments) {
        SmallVector<Value> yielded;
        inRegion(m_buffers, [&] {
          bind(loop.getAfterArguments(), arguments, after);
          lowerBlock(*loop.getAfterBody());
          yieldInto(loop.getYieldedValues(), before, yielded);
        });
        scf::YieldOp::create(m_builder, m_loc, yielded);
      });
  bind(loop.getResults(), lowered.getResults(), after);
}

} // namespace tilescope::cpu
