// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Operations whose access pattern depends on data: by way of shared memory, or between the lanes of a warp.
#include "compiler/conversion/ttg_to_llvm/common/Emit.h"
#include "compiler/conversion/ttg_to_llvm/common/Families.h"
#include "compiler/conversion/ttg_to_llvm/memory/SharedAccess.h"
#include "compiler/dialects/ttg/ir/WarpGather.h"

using namespace mlir;

namespace tilescope::compiler {

static LogicalResult lowerHistogram(tt::HistogramOp op, Lowering &lowering) {
  Builder &b = lowering.b;
  Type i32 = b.getI32Type();
  int64_t bins = cast<RankedTensorType>(op.getType()).getNumElements();
  Value scratch = lowering.sharedPointer(op);
  Value thread = lowering.threadId();
  // Scratch is at least as large as this clears, and rounded up to whole warps of counters.
  for (int64_t first = 0; first < bins; first += lowering.numThreads()) {
    auto clear = [&] {
      Value index = LLVM::AddOp::create(b, thread, i32Constant(b, first));
      LLVM::StoreOp::create(b, i32Constant(b, 0), elementPointer(b, scratch, i32, index));
    };
    if (bins - first >= lowering.numThreads()) {
      clear();
      continue;
    }
    Value inRange =
        LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::ult, thread, i32Constant(b, bins - first));
    lowering.emitIf(inRange, clear);
  }
  lowering.barrier();
  Value once = lowering.holdsOriginalInBlock(lowering.layout(op.getSrc().getType()));
  for (auto [index, source] : llvm::enumerate(lowering.values(op.getSrc()))) {
    Type type = source.getType();
    Value counts = intConstant(b, b.getI1Type(), 1);
    unsigned bits = type.getIntOrFloatBitWidth();
    if (bits > 31 || bins < (int64_t(1) << bits))
      counts =
          LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::ult, source, intConstant(b, type, bins));
    if (op.getMask())
      counts = LLVM::AndOp::create(b, counts, lowering.values(op.getMask())[index]);
    if (once)
      counts = LLVM::AndOp::create(b, counts, once);
    lowering.emitIf(counts, [&] {
      Value bin = bits > 32   ? LLVM::TruncOp::create(b, i32, source).getResult()
                  : bits < 32 ? LLVM::ZExtOp::create(b, i32, source).getResult()
                              : source;
      LLVM::AtomicRMWOp::create(b, LLVM::AtomicBinOp::add, elementPointer(b, scratch, i32, bin),
                                i32Constant(b, 1), LLVM::AtomicOrdering::monotonic, "block");
    });
  }
  lowering.barrier();
  Values results;
  Type type = lowering.elementType(op.getType());
  for (Value position : lowering.positions(lowering.layout(op.getType()))) {
    Value count = LLVM::LoadOp::create(b, i32, elementPointer(b, scratch, i32, position));
    unsigned bits = type.getIntOrFloatBitWidth();
    results.push_back(bits > 32   ? LLVM::ZExtOp::create(b, type, count).getResult()
                      : bits < 32 ? LLVM::TruncOp::create(b, type, count).getResult()
                                  : count);
  }
  lowering.set(op, std::move(results));
  return success();
}

/// An index as 32 bits.
static Value indexWord(Builder &b, Value index) {
  const unsigned bits = index.getType().getIntOrFloatBitWidth();
  if (bits == 32)
    return index;
  return bits > 32 ? LLVM::TruncOp::create(b, b.getI32Type(), index).getResult()
                   : LLVM::ZExtOp::create(b, b.getI32Type(), index).getResult();
}

/// Bit `from` of `word`, moved to bit `to`.
static Value movedBit(Builder &b, Value word, int from, int to) {
  Value bit = LLVM::AndOp::create(b, word, i32Constant(b, int64_t(1) << from));
  if (from < to)
    return LLVM::ShlOp::create(b, bit, i32Constant(b, to - from));
  return from == to ? bit : LLVM::LShrOp::create(b, bit, i32Constant(b, from - to)).getResult();
}

/// Each lane asks the one that has its element; see WarpGather.h.
static Values gatherInWarps(tt::GatherOp op, const ttg::WarpGather &plan, Lowering &lowering) {
  Builder &b = lowering.b;
  const Values &source = lowering.values(op.getSrc());
  Value others =
      LLVM::AndOp::create(b, lowering.laneId(), i32Constant(b, int64_t(~plan.laneMask() & 31)));
  size_t registerMask = 0;
  for (const ttg::WarpGather::Step &step : plan.registers)
    registerMask |= size_t(1) << step.ofPlace;
  Values results;
  for (auto [place, picked] : llvm::enumerate(lowering.values(op.getIndices()))) {
    Value index = indexWord(b, picked), lane = others;
    for (const ttg::WarpGather::Step &step : plan.lanes)
      lane = LLVM::OrOp::create(b, lane, movedBit(b, index, step.ofIndex, step.ofPlace));
    // Of each register along the axis, the lane's; then the right one of them.
    Values found;
    for (size_t which = 0; which < size_t(1) << plan.registers.size(); ++which) {
      size_t from = place & ~registerMask;
      for (auto [bit, step] : llvm::enumerate(plan.registers))
        from |= ((which >> bit) & 1) << step.ofPlace;
      found.push_back(shuffle(b, ShuffleMode::Index, source[from], lane));
    }
    for (const ttg::WarpGather::Step &step : plan.registers) {
      Value isUpper = LLVM::ICmpOp::create(
          b, LLVM::ICmpPredicate::ne,
          LLVM::AndOp::create(b, index, i32Constant(b, int64_t(1) << step.ofIndex)),
          i32Constant(b, 0));
      for (size_t i = 0; i < found.size() / 2; ++i)
        found[i] = LLVM::SelectOp::create(b, isUpper, found[2 * i + 1], found[2 * i]);
      found.resize(found.size() / 2);
    }
    results.push_back(found.front());
  }
  return results;
}

static LogicalResult lowerGather(tt::GatherOp op, Lowering &lowering) {
  if (const auto plan = ttg::planWarpGather(op)) {
    lowering.set(op, gatherInWarps(op, *plan, lowering));
    return success();
  }
  Builder &b = lowering.b;
  auto source = cast<RankedTensorType>(op.getSrc().getType());
  Type element = lowering.elementType(source), storage = storageType(element);
  Value scratch = lowering.sharedPointer(op);
  // The source in row-major order.
  const LinearLayout &layout = lowering.layout(source);
  LinearLayout rowMajor;
  for (int dim = source.getRank() - 1; dim >= 0; --dim)
    rowMajor *= LinearLayout::identity(source.getDimSize(dim), Dim::Offset, tensorDim(dim));
  storeToShared(lowering, {scratch, rowMajor, {}, {}}, layout, lowering.values(op.getSrc()));
  lowering.barrier();
  const LinearLayout &indices = lowering.layout(op.getIndices().getType());
  SmallVector<Values> coordinates;
  for (int dim = 0; dim < source.getRank(); ++dim)
    coordinates.push_back(lowering.coordinates(indices, tensorDim(dim)));
  Values results;
  for (auto [index, picked] : llvm::enumerate(lowering.values(op.getIndices()))) {
    Value along = indexWord(b, picked);
    Value position;
    for (int dim = 0; dim < source.getRank(); ++dim) {
      Value coordinate = dim == int(op.getAxis()) ? along : coordinates[dim][index];
      if (!position) {
        position = coordinate;
        continue;
      }
      position = LLVM::MulOp::create(b, position, i32Constant(b, source.getDimSize(dim)));
      position = LLVM::AddOp::create(b, position, coordinate);
    }
    Value loaded = LLVM::LoadOp::create(b, storage, elementPointer(b, scratch, storage, position));
    results.push_back(fromStorage(b, loaded, element));
  }
  lowering.set(op, std::move(results));
  return success();
}

void addHistogramGatherLowerings(LoweringTable &table) {
  table.add<tt::HistogramOp>(lowerHistogram);
  table.add<tt::GatherOp>(lowerGather);
}

} // namespace tilescope::compiler
