// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Inclusive scans, from the inside out. Positions along the axis are counted in the direction of
// the scan, so a reversed scan is the same with registers, lanes and warps taken from their ends.
//
//     chunk     neighbors in a thread's registers, one after the other
//     lanes     the chunks' totals: up by 1, 2, 4, … lanes; then every chunk adds its predecessors'
//     total warps     the warps' totals go through shared memory; every warp adds those before it
//     repeats   further chunks of the same thread add all that came before
#include "compiler/conversion/ttg_to_llvm/common/ClusterExchange.h"
#include "compiler/conversion/ttg_to_llvm/common/Emit.h"
#include "compiler/conversion/ttg_to_llvm/common/Families.h"
#include "compiler/conversion/ttg_to_llvm/common/Scratch.h"

using namespace mlir;

namespace tilescope::compiler {

using Group = Values;

namespace {
/// The state of one scan while it is lowered.
class ScanLowering {
public:
  ScanLowering(tt::ScanOp op, const ScanShape &shape, Lowering &lowering)
      : m_op(op), m_shape(shape), m_lowering(lowering), b(lowering.b),
        m_layout(lowering.layout(op.getSrcs().front().getType())) {}

  LogicalResult run();

private:
  FailureOr<Group> combine(const Group &before, const Group &after);
  /// `after` combined with `before` where `condition` holds, else as it is.
  FailureOr<Group> combineIf(Value condition, const Group &before, const Group &after);
  Group select(Value condition, const Group &yes, const Group &no);
  /// Register index from indices into the bits of parts of the axis.
  int registerIndex(int parallel, int repeat, int position) const;
  int counted(int index, size_t bits) const {
    return m_op.getReverse() ? (1 << bits) - 1 - index : index;
  }

  /// Neighbors along the axis in one thread.
  int chunkSize() const { return 1 << m_shape.chunkBits.size(); }

  Value lanePosition();
  Value warpPosition();
  Group shuffleFromBefore(const Group &group, int lanes);
  Group broadcastLastLane(const Group &group);

  LogicalResult scanChunk(int parallel, int repeat);
  FailureOr<Group> scanLanes(int parallel, int repeat);
  Value slot(int parallel, int repeat, int warp, size_t operand);
  LogicalResult scanWarps(ArrayRef<SmallVector<Group>> totals);
  LogicalResult addRepeats(ArrayRef<SmallVector<Group>> totals);
  /// To the registers of a chunk in front of `end`.
  LogicalResult addToChunk(int parallel, int repeat, const Group &before, Value condition, int end);

  mutable tt::ScanOp m_op;
  const ScanShape &m_shape;
  Lowering &m_lowering;
  Builder &b;
  const LinearLayout m_layout;
  /// Per register, the values of all operands.
  SmallVector<Group> m_groups;
};
} // namespace

FailureOr<Group> ScanLowering::combine(const Group &before, const Group &after) {
  Values arguments = before;
  llvm::append_range(arguments, after);
  return m_lowering.inlineRegion(m_op.getCombineOp(), arguments);
}

Group ScanLowering::select(Value condition, const Group &yes, const Group &no) {
  Group result;
  for (auto [x, y] : llvm::zip(yes, no))
    result.push_back(LLVM::SelectOp::create(b, condition, x, y));
  return result;
}

FailureOr<Group> ScanLowering::combineIf(Value condition, const Group &before, const Group &after) {
  FailureOr<Group> combined = combine(before, after);
  if (failed(combined) || !condition)
    return combined;
  return select(condition, *combined, after);
}

static int spread(int index, ArrayRef<int> bits) {
  int result = 0;
  for (auto [position, bit] : llvm::enumerate(bits))
    if (index >> position & 1)
      result |= 1 << bit;
  return result;
}

int ScanLowering::registerIndex(int parallel, int repeat, int position) const {
  return spread(parallel, m_shape.parallelBits) |
         spread(counted(repeat, m_shape.repeatBits.size()), m_shape.repeatBits) |
         spread(counted(position, m_shape.chunkBits.size()), m_shape.chunkBits);
}

/// Index of this thread's lane among those along the axis, in the direction of the scan.
Value ScanLowering::lanePosition() {
  int count = 1 << m_shape.laneBits.size();
  Value lane =
      LLVM::LShrOp::create(b, m_lowering.laneId(), i32Constant(b, m_shape.laneBits.front()));
  Value position = LLVM::AndOp::create(b, lane, i32Constant(b, count - 1));
  if (m_op.getReverse())
    position = LLVM::XOrOp::create(b, position, i32Constant(b, count - 1));
  return position;
}

Value ScanLowering::warpPosition() {
  SmallVector<uint64_t> bases(llvm::Log2_32(m_lowering.numThreads()), 0);
  for (auto [position, bit] : llvm::enumerate(m_shape.warpBits))
    bases[5 + bit] = uint64_t(1) << position;
  Value position = applyBases(b, m_lowering.threadId(), bases);
  if (m_op.getReverse())
    position = LLVM::XOrOp::create(b, position, i32Constant(b, (1 << m_shape.warpBits.size()) - 1));
  return position;
}

Group ScanLowering::shuffleFromBefore(const Group &group, int lanes) {
  Value distance = i32Constant(b, lanes << m_shape.laneBits.front());
  Group result;
  for (Value value : group)
    result.push_back(
        shuffle(b, m_op.getReverse() ? ShuffleMode::Down : ShuffleMode::Up, value, distance));
  return result;
}

Group ScanLowering::broadcastLastLane(const Group &group) {
  if (m_shape.laneBits.empty())
    return group;
  int mask = ((1 << m_shape.laneBits.size()) - 1) << m_shape.laneBits.front();
  Value last = m_op.getReverse()
                   ? LLVM::AndOp::create(b, m_lowering.laneId(), i32Constant(b, ~mask)).getResult()
                   : LLVM::OrOp::create(b, m_lowering.laneId(), i32Constant(b, mask)).getResult();
  Group result;
  for (Value value : group)
    result.push_back(shuffle(b, ShuffleMode::Index, value, last));
  return result;
}

LogicalResult ScanLowering::scanChunk(int parallel, int repeat) {
  for (int position = 1; position < chunkSize(); ++position) {
    Group &current = m_groups[registerIndex(parallel, repeat, position)];
    FailureOr<Group> combined =
        combine(m_groups[registerIndex(parallel, repeat, position - 1)], current);
    if (failed(combined))
      return failure();
    current = *combined;
  }
  return success();
}

LogicalResult ScanLowering::addToChunk(int parallel, int repeat, const Group &before,
                                       Value condition, int end) {
  for (int position = 0; position < end; ++position) {
    Group &current = m_groups[registerIndex(parallel, repeat, position)];
    FailureOr<Group> combined = combineIf(condition, before, current);
    if (failed(combined))
      return failure();
    current = *combined;
  }
  return success();
}

/// Returns the total up to and with this lane's chunk.
FailureOr<Group> ScanLowering::scanLanes(int parallel, int repeat) {
  const int last = chunkSize() - 1;
  Group total = m_groups[registerIndex(parallel, repeat, last)];
  if (m_shape.laneBits.empty())
    return total;
  Value position = lanePosition();
  for (int step = 1; step < 1 << m_shape.laneBits.size(); step *= 2) {
    Value hasBefore =
        LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::uge, position, i32Constant(b, step));
    FailureOr<Group> combined = combineIf(hasBefore, shuffleFromBefore(total, step), total);
    if (failed(combined))
      return failure();
    total = *combined;
  }
  // The last register holds the total itself: combined again, it would be a second value to keep alive.
  m_groups[registerIndex(parallel, repeat, last)] = total;
  if (last == 0)
    return total;
  Group before = shuffleFromBefore(total, 1);
  Value hasBefore = LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::ne, position, i32Constant(b, 0));
  if (failed(addToChunk(parallel, repeat, before, hasBefore, last)))
    return failure();
  return total;
}

/// Where the total of `warp` (in the direction of the scan) is kept for a register's positions: the
/// positions off the axis of this thread, and the repetition.
Value ScanLowering::slot(int parallel, int repeat, int warp, size_t operand) {
  LinearLayout off =
      partOfBlock(m_layout).value_or(m_layout).dropOut(tensorDim(m_op.getAxis())).canonicalOuts();
  int offBits = off.totalOutBits();
  int64_t begin = 0;
  for (size_t before = 0; before < operand; ++before)
    begin += partialBytes(m_shape.slotsPerWarp << m_shape.warpBits.size(),
                          m_op.getSrcs()[before].getType());
  Type storage = storageType(m_groups.front()[operand].getType());
  Value base = advanceBytes(b, m_lowering.sharedPointer(m_op), begin);
  int64_t fixed = (int64_t(warp) * (1 << m_shape.repeatBits.size()) + repeat) << offBits;
  Value index = i32Constant(b, fixed);
  if (offBits > 0) {
    DimList flat;
    flat.push_back({Dim::Offset, static_cast<uint8_t>(offBits)});
    LinearLayout flatOff = off.reshapeOuts(flat);
    Value thread = m_lowering.threadPart(flatOff, Dim::Offset);
    uint32_t part = Lowering::registerPart(flatOff, registerIndex(parallel, 0, 0), Dim::Offset);
    index = LLVM::AddOp::create(b, index, LLVM::XOrOp::create(b, thread, i32Constant(b, part)));
  }
  return elementPointer(b, base, storage, index);
}

LogicalResult ScanLowering::scanWarps(ArrayRef<SmallVector<Group>> totals) {
  int warps = 1 << m_shape.warpBits.size();
  Value position = warpPosition();
  // The last lane along the axis, in one of the threads that hold copies.
  Value writes = m_lowering.holdsOriginalInBlock(m_layout);
  if (!m_shape.laneBits.empty()) {
    Value isLast = LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::eq, lanePosition(),
                                        i32Constant(b, (1 << m_shape.laneBits.size()) - 1));
    writes = writes ? LLVM::AndOp::create(b, writes, isLast).getResult() : isLast;
  }
  auto emitStores = [&] {
    int64_t perWarp = m_shape.slotsPerWarp;
    Value offset = LLVM::MulOp::create(b, position, i32Constant(b, perWarp));
    for (auto [parallel, repeats] : llvm::enumerate(totals))
      for (auto [repeat, total] : llvm::enumerate(repeats))
        for (auto [operand, value] : llvm::enumerate(total)) {
          Value stored = toStorage(b, value);
          Value pointer = slot(parallel, repeat, 0, operand);
          LLVM::StoreOp::create(b, stored, elementPointer(b, pointer, stored.getType(), offset));
        }
  };
  if (writes)
    m_lowering.emitIf(writes, emitStores);
  else
    emitStores();
  m_lowering.barrier();
  // Totals that are neighbors in memory are loaded together, so they are used together, too.
  SmallVector<Group> carried(totals.size());
  for (int repeat = 0; repeat < 1 << m_shape.repeatBits.size(); ++repeat)
    for (auto [parallel, running] : llvm::enumerate(carried)) {
      // Walk the warps in order; remember what came before this thread's warp.
      const bool isFirst = running.empty();
      Group before = running;
      for (int warp = 0; warp < warps; ++warp) {
        Group one;
        for (auto [operand, value] : llvm::enumerate(totals[parallel][size_t(repeat)])) {
          Value pointer = slot(static_cast<int>(parallel), repeat, warp, operand);
          Value loaded = LLVM::LoadOp::create(b, storageType(value.getType()), pointer);
          one.push_back(fromStorage(b, loaded, value.getType()));
        }
        if (running.empty()) {
          running = one;
        } else {
          FailureOr<Group> combined = combine(running, one);
          if (failed(combined))
            return failure();
          running = *combined;
        }
        if (warp + 1 == warps)
          break;
        Value reached =
            LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::ugt, position, i32Constant(b, warp));
        before = before.empty() ? running : select(reached, running, before);
      }
      // The first warp of the first repetition has nothing before it.
      Value hasBefore;
      if (isFirst)
        hasBefore = LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::ne, position, i32Constant(b, 0));
      if (failed(addToChunk(static_cast<int>(parallel), repeat, before, hasBefore, chunkSize())))
        return failure();
    }
  return success();
}

LogicalResult ScanLowering::addRepeats(ArrayRef<SmallVector<Group>> totals) {
  for (auto [parallel, repeats] : llvm::enumerate(totals)) {
    Group carried;
    for (auto [repeat, total] : llvm::enumerate(repeats)) {
      if (repeat > 0 && failed(addToChunk(parallel, repeat, carried, Value(), chunkSize())))
        return failure();
      if (repeat + 1 == repeats.size())
        break;
      Group all = broadcastLastLane(total);
      if (repeat == 0) {
        carried = all;
        continue;
      }
      FailureOr<Group> combined = combine(carried, all);
      if (failed(combined))
        return failure();
      carried = *combined;
    }
  }
  return success();
}

LogicalResult ScanLowering::run() {
  m_groups.resize(m_layout.inSize(Dim::Register));
  for (Value source : m_op.getSrcs())
    for (auto [group, value] : llvm::zip(m_groups, m_lowering.values(source)))
      group.push_back(value);
  SmallVector<SmallVector<Group>> totals(1 << m_shape.parallelBits.size());
  for (auto [parallel, repeats] : llvm::enumerate(totals))
    for (int repeat = 0; repeat < 1 << m_shape.repeatBits.size(); ++repeat) {
      if (failed(scanChunk(parallel, repeat)))
        return failure();
      FailureOr<Group> total = scanLanes(parallel, repeat);
      if (failed(total))
        return failure();
      repeats.push_back(*total);
    }
  if (failed(m_shape.warpBits.empty() ? addRepeats(totals) : scanWarps(totals)))
    return failure();
  for (auto [operand, result] : llvm::enumerate(m_op.getResults())) {
    Values values;
    for (const Group &group : m_groups)
      values.push_back(group[operand]);
    m_lowering.set(result, std::move(values));
  }
  return success();
}

static LogicalResult lowerScan(tt::ScanOp op, Lowering &lowering) {
  FailureOr<ScanShape> shape = analyseScan(op);
  if (failed(shape))
    return op.emitError("cannot scan along a dimension that the layout does not walk as registers, "
                        "lanes, warps, registers");
  return ScanLowering(op, *shape, lowering).run();
}

void addScanLowerings(LoweringTable &table) { table.add<tt::ScanOp>(lowerScan); }

} // namespace tilescope::compiler
