// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Reductions in four steps: the registers of a thread, the lanes of a warp, the warps of a block, the
// blocks of a cluster.
//
//     registers   a tree over the registers that differ only along the axis
//     lanes       butterflies: every lane ends with the result (or one redux.sync). Of two lanes
//                 each takes its own value first. Where that matters (a tie of `argmax`, the last
//                 bit of a sum of products) all take what one of them found
//     warps       one lane per warp writes its partial result; after a barrier every thread reads
//                 those of all warps, which lie side by side, and combines them. Where these are
//                 many, one thread does so for each result, and after another barrier all read that
//     blocks      of a cluster: each writes its partial results; all read those of all others
#include "compiler/conversion/ttg_to_llvm/common/Emit.h"
#include "compiler/conversion/ttg_to_llvm/common/Families.h"
#include "compiler/conversion/ttg_to_llvm/common/RegisterMatch.h"
#include "compiler/conversion/ttg_to_llvm/common/Scratch.h"
#include "compiler/conversion/ttg_to_llvm/memory/ClusterAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tilescope::compiler {

/// One value per operand of the reduction.
using Group = Values;

static FailureOr<Group> combine(tt::ReduceOp op, const Group &left, const Group &right,
                                Lowering &lowering) {
  Values arguments = left;
  llvm::append_range(arguments, right);
  return lowering.inlineRegion(op.getCombineOp(), arguments);
}

/// The warp-wide instruction for this combination of 32-bit integers, if there is one.
static StringRef reduxIntrinsic(tt::ReduceOp op, Lowering &lowering) {
  if (lowering.capability() < 80 || op.getSrcs().size() != 1)
    return "";
  if (!getElementTypeOrSelf(op.getSrcs().front().getType()).isInteger(32))
    return "";
  Block &block = op.getCombineOp().front();
  if (std::distance(block.begin(), block.end()) != 2)
    return "";
  Operation *only = &block.front();
  if (only->getNumOperands() != 2 || only->getOperand(0) == only->getOperand(1) ||
      llvm::any_of(only->getOperands(), [&](Value v) { return v.getParentBlock() != &block; }))
    return "";
  return llvm::TypeSwitch<Operation *, StringRef>(only)
      .Case<arith::AddIOp>([](auto) { return StringRef("llvm.nvvm.redux.sync.add"); })
      .Case<arith::MinSIOp>([](auto) { return StringRef("llvm.nvvm.redux.sync.min"); })
      .Case<arith::MaxSIOp>([](auto) { return StringRef("llvm.nvvm.redux.sync.max"); })
      .Case<arith::MinUIOp>([](auto) { return StringRef("llvm.nvvm.redux.sync.umin"); })
      .Case<arith::MaxUIOp>([](auto) { return StringRef("llvm.nvvm.redux.sync.umax"); })
      .Case<arith::AndIOp>([](auto) { return StringRef("llvm.nvvm.redux.sync.and"); })
      .Case<arith::OrIOp>([](auto) { return StringRef("llvm.nvvm.redux.sync.or"); })
      .Case<arith::XOrIOp>([](auto) { return StringRef("llvm.nvvm.redux.sync.xor"); })
      .Default([](Operation *) { return StringRef(); });
}

/// Whether the combination is one operation that is the same with its operands exchanged.
static bool isCommutative(tt::ReduceOp op) {
  Block &block = op.getCombineOp().front();
  return std::distance(block.begin(), block.end()) == 2 &&
         block.front().hasTrait<OpTrait::IsCommutative>();
}

static LogicalResult reduceLanes(tt::ReduceOp op, const ReduceShape &shape,
                                 SmallVector<Group> &groups, Lowering &lowering) {
  Builder &b = lowering.b;
  StringRef redux = shape.laneBits.size() == 5 ? reduxIntrinsic(op, lowering) : "";
  Value first;
  if (!shape.laneBits.empty() && !isCommutative(op)) {
    uint32_t others = 31;
    for (int bit : shape.laneBits)
      others &= ~(1u << bit);
    first = LLVM::AndOp::create(b, lowering.laneId(), i32Constant(b, others));
  }
  for (Group &group : groups) {
    if (!redux.empty()) {
      group = {callIntrinsic(b, redux, b.getI32Type(), {group.front(), i32Constant(b, -1)})};
      continue;
    }
    for (int bit : llvm::reverse(shape.laneBits)) {
      Group other;
      for (Value value : group)
        other.push_back(shuffle(b, ShuffleMode::Butterfly, value, i32Constant(b, 1 << bit)));
      FailureOr<Group> combined = combine(op, group, other, lowering);
      if (failed(combined))
        return failure();
      group = *combined;
    }
    if (first)
      for (Value &value : group)
        value = shuffle(b, ShuffleMode::Index, value, first);
  }
  return success();
}

static Value warpAlongAxis(const ReduceShape &shape, Lowering &lowering) {
  SmallVector<uint64_t> bases(llvm::Log2_32(lowering.numThreads()), 0);
  for (auto [position, bit] : llvm::enumerate(shape.warpBits))
    bases[5 + bit] = uint64_t(1) << position;
  return applyBases(lowering.b, lowering.threadId(), bases);
}

/// True in the lanes that write partial results: one per result and warp.
static Value writesPartial(const ReduceShape &shape, Lowering &lowering) {
  Builder &b = lowering.b;
  uint32_t mask = 0;
  for (int bit = 0; bit < shape.result.inBits(Dim::Lane); ++bit)
    if (shape.result.columns(Dim::Lane)[bit] == 0)
      mask |= 1u << bit;
  for (int bit = 0; (1 << bit) < lowering.numWarps(); ++bit) {
    bool holdsCopies =
        bit >= shape.result.inBits(Dim::Warp) || shape.result.columns(Dim::Warp)[bit] == 0;
    if (holdsCopies && !llvm::is_contained(shape.warpBits, bit))
      mask |= 32u << bit;
  }
  Value bits = LLVM::AndOp::create(b, lowering.threadId(), i32Constant(b, mask));
  return LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::eq, bits, i32Constant(b, 0));
}

/// In pairs, so that what depends on each other is no longer than it must be.
static FailureOr<Group> combineAll(tt::ReduceOp op, SmallVector<Group> parts, Lowering &lowering) {
  for (size_t step = 1; step < parts.size(); step *= 2)
    for (size_t index = 0; index + step < parts.size(); index += 2 * step) {
      FailureOr<Group> combined = combine(op, parts[index], parts[index + step], lowering);
      if (failed(combined))
        return failure();
      parts[index] = *combined;
    }
  return parts.front();
}

namespace {
/// Partial results in shared memory: one array per operand, in which those of all warps for one position lie side by side.
class Partials {
public:
  Partials(tt::ReduceOp op, const ReduceShape &shape, Lowering &lowering)
      : m_op(op), m_lowering(lowering), m_warps(shape.numWarpsAlongAxis()) {
    Value scratch = lowering.sharedPointer(op);
    int64_t offset = 0;
    for (Value source : op.getSrcs()) {
      m_arrays.push_back(advanceBytes(lowering.b, scratch, offset));
      offset += partialBytes(shape.numResults * m_warps, source.getType());
    }
  }

  /// The one of the first warp.
  Value slot(int operand, Value position, Type storage) {
    Builder &b = m_lowering.b;
    Value first = LLVM::MulOp::create(b, position, i32Constant(b, m_warps));
    return elementPointer(b, m_arrays[operand], storage, first);
  }
  void write(const Group &group, Value position, Value warp) {
    Builder &b = m_lowering.b;
    for (auto [operand, value] : llvm::enumerate(group)) {
      Value stored = toStorage(b, value);
      Value pointer = slot(operand, position, stored.getType());
      if (warp)
        pointer = elementPointer(b, pointer, stored.getType(), warp);
      LLVM::StoreOp::create(b, stored, pointer);
    }
  }
  /// What is in the first warp's slots, which are as many values as `like`.
  Group readFirst(const Group &like, Value position) {
    Builder &b = m_lowering.b;
    Group group;
    for (auto [operand, value] : llvm::enumerate(like)) {
      Type storage = storageType(value.getType());
      Value loaded = LLVM::LoadOp::create(b, storage, slot(operand, position, storage));
      group.push_back(fromStorage(b, loaded, value.getType()));
    }
    return group;
  }
  FailureOr<Group> combined(const Group &like, Value position);

private:
  tt::ReduceOp m_op;
  Lowering &m_lowering;
  int m_warps;
  SmallVector<Value> m_arrays;
};
} // namespace

/// Of all warps.
FailureOr<Group> Partials::combined(const Group &like, Value position) {
  Builder &b = m_lowering.b;
  SmallVector<Group> partial(m_warps);
  for (auto [operand, value] : llvm::enumerate(like)) {
    Type type = value.getType(), storage = storageType(type);
    int perLoad = std::min<int>(m_warps, 16 / storageBytes(storage));
    Value pointer = slot(operand, position, storage);
    for (int first = 0; first < m_warps; first += perLoad) {
      Type loadType = perLoad == 1 ? storage : Type(VectorType::get(perLoad, storage));
      Value part = advanceBytes(b, pointer, first * storageBytes(storage));
      Value loaded = LLVM::LoadOp::create(b, loadType, part, perLoad * storageBytes(storage));
      SmallVector<Value> elements{loaded};
      if (perLoad > 1)
        elements = unpackVector(b, loaded);
      for (auto [index, element] : llvm::enumerate(elements))
        partial[first + index].push_back(fromStorage(b, element, type));
    }
  }
  return combineAll(m_op, std::move(partial), m_lowering);
}

/// A thread combines the partial results of a position, and puts what it finds in the place of the first one.
static LogicalResult combineOnce(Partials &partials, const ReduceShape &shape, const Group &like,
                                 Lowering &lowering) {
  Builder &b = lowering.b;
  bool isDone = true;
  for (int64_t first = 0; first < shape.numResults; first += lowering.numThreads()) {
    Value position = LLVM::AddOp::create(b, lowering.threadId(), i32Constant(b, first));
    const auto body = [&] {
      FailureOr<Group> found = partials.combined(like, position);
      isDone &= succeeded(found);
      if (succeeded(found))
        partials.write(*found, position, {});
    };
    if (first + lowering.numThreads() <= shape.numResults) {
      body();
      continue;
    }
    Value end = i32Constant(b, shape.numResults);
    lowering.emitIf(LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::ult, position, end), body);
  }
  lowering.barrier();
  return success(isDone);
}

static LogicalResult reduceWarps(tt::ReduceOp op, const ReduceShape &shape,
                                 SmallVector<Group> &groups, Lowering &lowering) {
  Partials partials(op, shape, lowering);
  Values positions = lowering.positions(shape.part);
  Value warp = warpAlongAxis(shape, lowering);
  lowering.emitIf(writesPartial(shape, lowering), [&] {
    for (auto [index, group] : llvm::enumerate(groups))
      partials.write(group, positions[index], warp);
  });
  lowering.barrier();
  const bool isOnce = shape.isCombinedOnce();
  if (isOnce && failed(combineOnce(partials, shape, groups.front(), lowering)))
    return failure();
  for (auto [index, group] : llvm::enumerate(groups)) {
    FailureOr<Group> found = isOnce ? partials.readFirst(group, positions[index])
                                    : partials.combined(group, positions[index]);
    if (failed(found))
      return failure();
    group = *found;
  }
  return success();
}

/// The rank of the block that has piece `piece` of the axis and otherwise what this one has.
static Value blockOfPiece(const ReduceShape &shape, int piece, Lowering &lowering) {
  Builder &b = lowering.b;
  uint32_t along = 0, rank = 0;
  for (auto [position, bit] : llvm::enumerate(shape.blockBits)) {
    along |= 1u << bit;
    rank |= uint32_t(piece >> position & 1) << bit;
  }
  Value others = LLVM::AndOp::create(b, lowering.blockRank(), i32Constant(b, int64_t(~along)));
  return LLVM::OrOp::create(b, others, i32Constant(b, rank));
}

static LogicalResult reduceBlocks(tt::ReduceOp op, const ReduceShape &shape,
                                  SmallVector<Group> &groups, Lowering &lowering) {
  Builder &b = lowering.b;
  Value scratch = advanceBytes(b, lowering.sharedPointer(op), blockPartialsOffset(op, shape));
  Values positions = lowering.positions(shape.part);
  // By operand, then by group.
  SmallVector<SmallVector<Value>> slots;
  for (auto [operand, source] : llvm::enumerate(op.getSrcs())) {
    SmallVector<Value> &ofOperand = slots.emplace_back();
    Type storage = storageType(groups.front()[operand].getType());
    for (Value position : positions)
      ofOperand.push_back(elementPointer(b, scratch, storage, position));
    scratch = advanceBytes(b, scratch, partialBytes(shape.numResults, source.getType()));
  }
  const auto store = [&] {
    for (auto [index, group] : llvm::enumerate(groups))
      for (auto [operand, value] : llvm::enumerate(group))
        LLVM::StoreOp::create(b, toStorage(b, value), slots[operand][index]);
  };
  if (Value once = lowering.holdsOriginalInBlock(shape.part))
    lowering.emitIf(once, store);
  else
    store();
  if (failed(lowering.clusterBarrier(op)))
    return failure();
  SmallVector<Value> ranks;
  for (int piece = 0; piece < 1 << shape.blockBits.size(); ++piece)
    ranks.push_back(blockOfPiece(shape, piece, lowering));
  for (auto [index, group] : llvm::enumerate(groups)) {
    Group sum;
    for (Value rank : ranks) {
      Group next;
      for (auto [operand, value] : llvm::enumerate(group)) {
        Value pointer = addressInBlock(b, slots[operand][index], rank);
        Value loaded = LLVM::LoadOp::create(b, storageType(value.getType()), pointer);
        next.push_back(fromStorage(b, loaded, value.getType()));
      }
      FailureOr<Group> combined = sum.empty() ? next : combine(op, sum, next, lowering);
      if (failed(combined))
        return failure();
      sum = *combined;
    }
    group = sum;
  }
  return lowering.clusterBarrier(op);
}

/// The registers of the source in groups with the same position off the axis, in the order of
/// the result's registers, each group in the order of the axis.
static SmallVector<SmallVector<int>> groupRegisters(tt::ReduceOp op, const ReduceShape &shape,
                                                    const LinearLayout &layout) {
  Dim axis = tensorDim(op.getAxis());
  LinearLayout off = layout.dropOut(axis).canonicalOuts();
  llvm::DenseMap<uint64_t, int> groupOf;
  for (int index = 0; index < shape.result.inSize(Dim::Register); ++index)
    groupOf[shape.result.applyPacked(index)] = index;
  SmallVector<SmallVector<int>> groups(shape.result.inSize(Dim::Register));
  for (int index = 0; index < layout.inSize(Dim::Register); ++index)
    groups[groupOf.at(off.applyPacked(index))].push_back(index);
  for (SmallVector<int> &group : groups)
    llvm::sort(group, [&](int x, int y) {
      return Lowering::registerPart(layout, x, axis) < Lowering::registerPart(layout, y, axis);
    });
  return groups;
}

static FailureOr<Group> reduceRegisters(tt::ReduceOp op, ArrayRef<int> registers,
                                        Lowering &lowering) {
  SmallVector<Group> parts;
  for (int index : registers) {
    Group part;
    for (Value source : op.getSrcs())
      part.push_back(lowering.values(source)[index]);
    parts.push_back(part);
  }
  return combineAll(op, std::move(parts), lowering);
}

static LogicalResult lowerReduce(tt::ReduceOp op, Lowering &lowering) {
  FailureOr<ReduceShape> shape = analyseReduce(op);
  if (failed(shape))
    return op.emitError("cannot reduce along a dimension whose layout mixes it with others");
  const LinearLayout layout = lowering.layout(op.getSrcs().front().getType());
  SmallVector<Group> groups;
  for (const SmallVector<int> &registers : groupRegisters(op, *shape, layout)) {
    FailureOr<Group> group = reduceRegisters(op, registers, lowering);
    if (failed(group))
      return failure();
    groups.push_back(*group);
  }
  if (failed(reduceLanes(op, *shape, groups, lowering)))
    return failure();
  if (!shape->warpBits.empty() && failed(reduceWarps(op, *shape, groups, lowering)))
    return failure();
  if (!shape->blockBits.empty() && failed(reduceBlocks(op, *shape, groups, lowering)))
    return failure();
  // A result that is a scalar has one group; a block's registers are matched by their elements.
  for (auto [operand, result] : llvm::enumerate(op.getResults())) {
    Values values;
    if (!isa<RankedTensorType>(result.getType())) {
      values.push_back(groups.front()[operand]);
    } else {
      auto match = matchRegisters(shape->result, lowering.layout(result.getType()),
                                  [](uint64_t element) { return element; });
      if (failed(match))
        return op.emitError("the result's layout is not the source's without the axis");
      for (int index : *match)
        values.push_back(groups[index][operand]);
    }
    lowering.set(result, std::move(values));
  }
  return success();
}

void addReduceLowerings(LoweringTable &table) { table.add<tt::ReduceOp>(lowerReduce); }

} // namespace tilescope::compiler
