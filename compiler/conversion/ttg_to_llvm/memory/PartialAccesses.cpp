// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/ttg_to_llvm/memory/PartialAccesses.h"

#include "compiler/conversion/ttg_to_llvm/common/Exchange.h"
#include "compiler/conversion/ttg_to_llvm/common/MemoryPlans.h"
#include "compiler/conversion/ttg_to_llvm/common/Scratch.h"

using namespace mlir;

namespace tilescope::compiler {
namespace {

/// A layout of scratch, put together dimension by dimension.
class ScratchLayout {
public:
  void add(uint64_t column) { m_columns.push_back(column); }
  /// What was added since the last dimension is the bits of `in`.
  void end(Dim in) {
    m_ins.push_back({in, static_cast<uint8_t>(m_columns.size() - m_begin)});
    m_begin = m_columns.size();
  }
  LinearLayout build(size_t offsetBits) const {
    DimList outs;
    outs.push_back({Dim::Offset, static_cast<uint8_t>(offsetBits)});
    return LinearLayout(m_ins, outs, m_columns);
  }

private:
  DimList m_ins;
  LinearLayout::Columns m_columns;
  size_t m_begin = 0;
};

/// Where `bit` is among `bits`; nothing if it is not.
std::optional<size_t> positionOf(int bit, ArrayRef<int> bits) {
  const auto found = llvm::find(bits, bit);
  if (found == bits.end())
    return std::nullopt;
  return static_cast<size_t>(found - bits.begin());
}

uint64_t columnOr0(std::span<const uint64_t> columns, size_t bit) {
  return bit < columns.size() ? columns[bit] : 0;
}

} // namespace

/// Threads that hold copies of a reduction's results, or are not first of their lanes.
static uint32_t idleThreads(const ReduceShape &shape, int numWarps) {
  uint32_t mask = 0;
  for (int bit = 0; bit < shape.result.inBits(Dim::Lane); ++bit)
    if (shape.result.columns(Dim::Lane)[bit] == 0)
      mask |= 1u << bit;
  for (int bit = 0; (1 << bit) < numWarps; ++bit)
    if (columnOr0(shape.result.columns(Dim::Warp), static_cast<size_t>(bit)) == 0 &&
        !positionOf(bit, shape.warpBits))
      mask |= 32u << bit;
  return mask;
}

namespace {
/// The accesses to the partial results of one operand of a reduction, which lie side by side for each result.
class PartialResults {
public:
  PartialResults(const ReduceShape &shape, Value source, int numWarps)
      : m_shape(shape), m_result(shape.result.canonicalOuts()), m_numWarps(numWarps),
        m_bytes(static_cast<int>(sharedElementBytes(getElementTypeOrSelf(source.getType())))),
        m_vector(std::min<int>(shape.numWarpsAlongAxis(), 16 / m_bytes)) {}

  /// Each warp's by its first threads.
  access::AccessPlan written() const {
    access::AccessPlan plan = planOf(MemoryAction::SharedStore, 1);
    plan.places = ofResults({}, /*isOfWarp=*/true);
    plan.idleThreads = idleThreads(m_shape, m_numWarps);
    return plan;
  }
  /// Those of all warps, for each result that a thread has.
  access::AccessPlan readByAll() const {
    access::AccessPlan plan = planOf(MemoryAction::SharedLoad, m_vector);
    plan.places = ofResults(vectorsOfWarps(), /*isOfWarp=*/false);
    return plan;
  }
  /// Those of all warps, by a thread for each result.
  access::AccessPlan readOnce() const {
    access::AccessPlan plan = planOf(MemoryAction::SharedLoad, m_vector);
    plan.places = byPosition(vectorsOfWarps());
    plan.idleThreads = behindPositions();
    return plan;
  }
  /// What that thread finds, in the place of the first warp's.
  access::AccessPlan writtenOnce() const {
    access::AccessPlan plan = planOf(MemoryAction::SharedStore, 1);
    plan.places = byPosition({});
    plan.idleThreads = behindPositions();
    return plan;
  }
  access::AccessPlan readFirst() const {
    access::AccessPlan plan = planOf(MemoryAction::SharedLoad, 1);
    plan.places = ofResults({}, /*isOfWarp=*/false);
    return plan;
  }

private:
  size_t along() const { return m_shape.warpBits.size(); }
  size_t offsetBits() const { return static_cast<size_t>(m_result.totalOutBits()) + along(); }
  access::AccessPlan planOf(MemoryAction action, int vector) const {
    access::AccessPlan plan;
    plan.action = action;
    plan.elementBytes = m_bytes;
    plan.vectorElements = vector;
    plan.numWarps = m_numWarps;
    plan.isJumpedOver = true;
    return plan;
  }
  std::vector<uint64_t> vectorsOfWarps() const {
    std::vector<uint64_t> columns;
    for (size_t bit = llvm::Log2_32(m_vector); bit < along(); ++bit)
      columns.push_back(uint64_t(1) << bit);
    return columns;
  }
  LinearLayout ofResults(const std::vector<uint64_t> &ofWarps, bool isOfWarp) const {
    ScratchLayout layout;
    for (uint64_t column : ofWarps)
      layout.add(column);
    for (uint64_t column : m_result.columns(Dim::Register))
      layout.add(column << along());
    layout.end(Dim::Register);
    for (uint64_t column : m_result.columns(Dim::Lane))
      layout.add(column << along());
    layout.end(Dim::Lane);
    for (int bit = 0; (1 << bit) < m_numWarps; ++bit) {
      const std::optional<size_t> position = positionOf(bit, m_shape.warpBits);
      const uint64_t own = isOfWarp && position ? uint64_t(1) << *position : 0;
      layout.add(columnOr0(m_result.columns(Dim::Warp), static_cast<size_t>(bit)) << along() | own);
    }
    layout.end(Dim::Warp);
    return layout.build(offsetBits());
  }
  size_t positionBits() const { return static_cast<size_t>(m_shape.part.totalOutBits()); }
  uint64_t columnOfPosition(size_t bit) const {
    return bit < positionBits() ? uint64_t(1) << (along() + bit) : 0;
  }
  LinearLayout byPosition(const std::vector<uint64_t> &ofWarps) const {
    const size_t threadBits = 5 + llvm::Log2_32(uint32_t(m_numWarps));
    ScratchLayout layout;
    for (uint64_t column : ofWarps)
      layout.add(column);
    for (size_t bit = threadBits; bit < positionBits(); ++bit)
      layout.add(columnOfPosition(bit));
    layout.end(Dim::Register);
    for (size_t bit = 0; bit < threadBits; ++bit) {
      layout.add(columnOfPosition(bit));
      if (bit == 4)
        layout.end(Dim::Lane);
    }
    layout.end(Dim::Warp);
    return layout.build(offsetBits());
  }
  /// Threads that no position is left for.
  uint32_t behindPositions() const {
    uint32_t mask = 0;
    for (size_t bit = positionBits(); (size_t(1) << bit) < size_t(m_numWarps) * 32; ++bit)
      mask |= 1u << bit;
    return mask;
  }

  const ReduceShape &m_shape;
  LinearLayout m_result;
  int m_numWarps, m_bytes, m_vector;
};
} // namespace

void addPartials(tt::ReduceOp op, int numWarps, std::vector<OperationAccess> &accesses) {
  const FailureOr<ReduceShape> shape = analyseReduce(op);
  if (failed(shape) || shape->warpBits.empty())
    return;
  for (Value source : op.getSrcs()) {
    const PartialResults partials(*shape, source, numWarps);
    accesses.push_back({partials.written()});
    if (!shape->isCombinedOnce()) {
      accesses.push_back({partials.readByAll()});
      continue;
    }
    accesses.push_back({partials.readOnce()});
    accesses.push_back({partials.writtenOnce()});
    accesses.push_back({partials.readFirst()});
  }
}

// The totals of a warp follow each other: by position off the axis, then by repetition.
void addPartials(tt::ScanOp op, int numWarps, std::vector<OperationAccess> &accesses) {
  const FailureOr<ScanShape> shape = analyseScan(op);
  if (failed(shape) || shape->warpBits.empty())
    return;
  const LinearLayout layout =
      distinctRegisters(cast<RankedTensorType>(op.getSrcs().front().getType()));
  const LinearLayout off = layout.dropOut(tensorDim(op.getAxis())).canonicalOuts();
  const size_t offBits = static_cast<size_t>(off.totalOutBits()),
               repeats = shape->repeatBits.size(), along = shape->warpBits.size();
  for (Value source : op.getSrcs())
    for (const bool isStore : {true, false}) {
      ScratchLayout scratch;
      for (int bit : shape->parallelBits)
        scratch.add(off.columns(Dim::Register)[bit]);
      for (size_t bit = 0; bit < repeats + (isStore ? 0 : along); ++bit)
        scratch.add(uint64_t(1) << (offBits + bit));
      scratch.end(Dim::Register);
      for (uint64_t column : off.columns(Dim::Lane))
        scratch.add(column);
      scratch.end(Dim::Lane);
      for (int bit = 0; (1 << bit) < numWarps; ++bit) {
        const std::optional<size_t> position = positionOf(bit, shape->warpBits);
        const uint64_t own =
            isStore && position ? uint64_t(1) << (offBits + repeats + *position) : 0;
        scratch.add(columnOr0(off.columns(Dim::Warp), static_cast<size_t>(bit)) | own);
      }
      scratch.end(Dim::Warp);
      access::AccessPlan plan;
      plan.action = isStore ? MemoryAction::SharedStore : MemoryAction::SharedLoad;
      plan.elementBytes =
          static_cast<int>(sharedElementBytes(getElementTypeOrSelf(source.getType())));
      plan.places = scratch.build(offBits + repeats + along);
      joinNeighbors(plan);
      plan.numWarps = numWarps;
      if (isStore) {
        plan.idleThreads = copyMask(layout, numWarps * 32);
        // The last lane along the axis stores: one of them, as the first would be.
        for (int bit : shape->laneBits)
          plan.idleThreads |= 1u << bit;
      }
      plan.isJumpedOver = true;
      accesses.push_back({std::move(plan)});
    }
}

} // namespace tilescope::compiler
