// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Blocks that are kept, and the loops that compute them.
#include "compiler/conversion/tt_to_cpu/Elementwise.h"
#include "compiler/conversion/tt_to_cpu/Lowering.h"
#include "compiler/conversion/tt_to_cpu/Vectors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace tilescope::cpu {

/// Cache lines, and the widest vectors.
static constexpr int64_t kBufferAlignment = 64;
/// Vector registers that a tile of fp32 takes: independent work for the processor.
static constexpr int64_t kRegistersPerTile = 2;
/// Runs of neighbors that are worth their own instructions.
static constexpr int64_t kShortestRun = 4;

Buffer KernelLowering::allocate(RankedTensorType type) {
  Value offset = arith::ConstantIntOp::create(m_builder, m_loc, m_scratchBytes, 64);
  const int64_t size = type.getNumElements() * memoryBytesOf(elementTypeOf(type));
  m_scratchBytes += llvm::alignTo(size, kBufferAlignment);
  return {elementAddress(m_builder, m_loc, m_scratch, offset, m_builder.getI8Type()), type};
}

Buffer KernelLowering::allocateResult(Value block) {
  auto it = m_destinations.find(block);
  return it != m_destinations.end() ? it->second
                                    : allocate(cast<RankedTensorType>(block.getType()));
}

static SmallVector<int64_t> stridesOf(RankedTensorType type) {
  SmallVector<int64_t> strides(type.getRank(), 1);
  for (int64_t dim = type.getRank() - 1; dim > 0; --dim)
    strides[dim - 1] = strides[dim] * type.getDimSize(dim);
  return strides;
}

Value KernelLowering::bufferAddress(const Buffer &buffer, const Place &place) {
  const SmallVector<int64_t> strides = stridesOf(buffer.type);
  Value index = scaledSum(m_builder, m_loc, place.indices, strides);
  // Lanes that are no neighbors have an address each.
  if (place.laneDim >= 0 && strides[place.laneDim] != 1)
    index = ramp(m_builder, m_loc, index, strides[place.laneDim], m_nest->lanes().count);
  return elementAddress(m_builder, m_loc, buffer.base, index, elementTypeOf(buffer.type));
}

Value KernelLowering::readAt(Value address, Type element, int64_t lanes) {
  Type type = memoryTypeOf(element);
  const unsigned alignment = memoryBytesOf(element);
  if (lanes)
    type = VectorType::get({lanes}, type);
  Value value;
  if (lanesOf(address))
    value = LLVM::masked_gather::create(m_builder, m_loc, type, address,
                                        allLanes(m_builder, m_loc, lanes), ValueRange(),
                                        m_builder.getI32IntegerAttr(alignment));
  else
    value = LLVM::LoadOp::create(m_builder, m_loc, type, address, alignment);
  return fromMemory(m_builder, m_loc, value, element);
}

Value KernelLowering::readBuffer(const Buffer &buffer, const Place &place) {
  return readAt(bufferAddress(buffer, place), elementTypeOf(buffer.type),
                place.laneDim >= 0 ? m_nest->lanes().count : 0);
}

Value KernelLowering::readPicked(const Buffer &buffer, const Place &place, unsigned axis,
                                 Value index) {
  const SmallVector<int64_t> strides = stridesOf(buffer.type);
  const int64_t lanes = place.laneDim >= 0 ? m_nest->lanes().count : 0;
  SmallVector<Value, 4> indices = place.indices;
  indices[axis] = m_zero;
  Value sum = scaledSum(m_builder, m_loc, indices, strides);
  if (lanes && place.laneDim != static_cast<int>(axis))
    sum = ramp(m_builder, m_loc, sum, strides[place.laneDim], lanes);
  index = splat(m_builder, m_loc, index, lanes);
  index =
      scaledSum(m_builder, m_loc, {index, splat(m_builder, m_loc, sum, lanes)}, {strides[axis], 1});
  Type element = elementTypeOf(buffer.type);
  return readAt(elementAddress(m_builder, m_loc, buffer.base, index, element), element, lanes);
}

void KernelLowering::writeBuffer(const Buffer &buffer, const Place &place, Value tile) {
  Type element = elementTypeOf(buffer.type);
  const unsigned alignment = memoryBytesOf(element);
  Value address = bufferAddress(buffer, place);
  if (place.laneDim >= 0)
    tile = splat(m_builder, m_loc, tile, m_nest->lanes().count);
  tile = toMemory(m_builder, m_loc, tile);
  if (lanesOf(address))
    LLVM::masked_scatter::create(m_builder, m_loc, tile, address,
                                 allLanes(m_builder, m_loc, m_nest->lanes().count),
                                 m_builder.getI32IntegerAttr(alignment));
  else
    LLVM::StoreOp::create(m_builder, m_loc, tile, address, alignment);
}

void KernelLowering::keep(Value block) {
  if (m_buffers.contains(block))
    return;
  m_pending.insert(block);
  auto type = cast<RankedTensorType>(block.getType());
  forEachTile(type.getShape(), chooseLanes({block}), {block}, [&] { at(block, m_nest->place()); });
}

void KernelLowering::fill(const Buffer &buffer, Value block) {
  if (auto it = m_buffers.find(block); it != m_buffers.end() && it->second.base == buffer.base)
    return;
  forEachTile(buffer.type.getShape(), chooseLanes({block}), {block},
              [&] { writeBuffer(buffer, m_nest->place(), at(block, m_nest->place())); });
}

namespace {
/// How the blocks that wait are needed by the loops that follow.
class PendingNeeds {
public:
  PendingNeeds(const llvm::SetVector<Value> &pending, const llvm::DenseMap<Value, Buffer> &buffers)
      : m_pending(pending), m_buffers(buffers) {}

  void add(Value block, bool isByElement) {
    if (!isa<RankedTensorType>(block.getType()) || m_buffers.contains(block) ||
        !m_seen[isByElement].insert(block).second)
      return;
    if (m_pending.contains(block))
      (isByElement ? byElement : otherwise).insert(block);
    Operation *op = block.getDefiningOp();
    const bool isLoad = isa<tt::LoadOp>(op);
    for (OpOperand &operand : op->getOpOperands())
      add(operand.get(),
          isByElement && (isElementwise(op) || (isLoad && operand.getOperandNumber() > 0)));
  }

  llvm::SetVector<Value> byElement, otherwise;

private:
  const llvm::SetVector<Value> &m_pending;
  const llvm::DenseMap<Value, Buffer> &m_buffers;
  /// By the way in which they are needed.
  llvm::DenseSet<Value> m_seen[2];
};
} // namespace

void KernelLowering::prepare(ArrayRef<Value> needed, bool canKeep) {
  while (true) {
    PendingNeeds needs(m_pending, m_buffers);
    for (Value block : needed)
      needs.add(block, canKeep);
    if (needs.otherwise.empty()) {
      for (Value block : needs.byElement)
        m_beingKept[block] = allocate(cast<RankedTensorType>(block.getType()));
      return;
    }
    // The last in this order is the first that is defined, or nearly.
    keep(needs.otherwise.back());
  }
}

void KernelLowering::openAll(ArrayRef<int64_t> shape, Lanes lanes,
                             llvm::function_ref<void()> body) {
  Nest nest(m_builder, shape, lanes, m_zero);
  m_nest = &nest;
  for (unsigned dim = 0; dim < shape.size(); ++dim)
    if (static_cast<int>(dim) != lanes.dim)
      nest.open(m_loc, dim);
  if (lanes.dim >= 0)
    nest.open(m_loc, lanes.dim);
  body();
  for (unsigned dim = 0; dim < shape.size(); ++dim)
    nest.close(m_loc);
}

void KernelLowering::forEachTile(ArrayRef<int64_t> shape, Lanes lanes, ArrayRef<Value> needed,
                                 llvm::function_ref<void()> body) {
  prepare(needed);
  const std::optional<Patches> patches = patchesFor(shape, lanes, needed);
  const WholeTiles whole = wholeTiles(shape, lanes, needed);
  if (!patches && shape.size() == 1 && !whole.conditions.empty()) {
    Nest nest(m_builder, shape, lanes, m_zero);
    m_nest = &nest;
    const auto loop = [&](const Part &part) {
      nest.openPart(m_loc, 0, part);
      body();
      nest.close(m_loc);
      nest.forget();
    };
    withoutMasks(whole, [&] { loop({m_zero, whole.end}); });
    loop({whole.end, arith::ConstantIntOp::create(m_builder, m_loc, shape[0], 64)});
  } else {
    forEachCase(whole, [&] {
      patches ? forEachPatch(shape, *patches, body) : openAll(shape, lanes, body);
    });
  }
  finishKept();
}

void KernelLowering::finishKept() {
  m_nest = nullptr;
  m_next.endSink();
  for (auto &[block, buffer] : m_beingKept) {
    m_buffers[block] = buffer;
    m_pending.remove(block);
  }
  m_beingKept.clear();
}

/// The pointers of the block, or of the first load that its elements come from.
static Value pointersFor(Value block) {
  SmallVector<Value> work{block};
  llvm::DenseSet<Value> seen;
  while (!work.empty()) {
    Value value = work.pop_back_val();
    Operation *op = value.getDefiningOp();
    if (!seen.insert(value).second || !isa<RankedTensorType>(value.getType()))
      continue;
    if (isa<tt::PointerType>(getElementTypeOrSelf(value.getType())))
      return value;
    if (auto load = dyn_cast_or_null<tt::LoadOp>(op))
      return load.getPtr();
    if (op && isElementwise(op))
      llvm::append_range(work, llvm::reverse(op->getOperands()));
  }
  return {};
}

int64_t KernelLowering::lanesPerTile() const {
  return kRegistersPerTile * m_options.vectorBytes / 4;
}

Lanes KernelLowering::chooseLanes(ArrayRef<Value> blocks) const {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(blocks.front().getType()).getShape();
  const int64_t most = lanesPerTile();
  Lanes lanes;
  for (auto [dim, extent] : llvm::enumerate(shape))
    if (extent > 1)
      lanes.dim = static_cast<int>(dim);
  if (lanes.dim < 0)
    return lanes;
  lanes.count = std::min(most, shape[lanes.dim]);
  for (Value block : blocks) {
    Value pointers = pointersFor(block);
    const compiler::AxisInfo *axis = pointers ? m_axes.find(pointers) : nullptr;
    if (!axis)
      continue;
    int best = lanes.dim;
    for (int dim = 0; dim < axis->rank(); ++dim)
      if (axis->contiguity[dim] > axis->contiguity[best])
        best = dim;
    if (axis->contiguity[best] == 1)
      continue;
    const int64_t run = axis->contiguity[best];
    lanes = {best, std::min(most, shape[best])};
    if (run >= kShortestRun)
      lanes.count = std::min(lanes.count, run);
    break;
  }
  return lanes;
}

} // namespace tilescope::cpu
