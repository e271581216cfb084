// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Functions of scalars that may branch: of elements (`map_elementwise`), or as what a reduction or a scan combines
// with. They are emitted for one element, or one pack of neighbors, at a time.
#include "compiler/conversion/tt_to_cpu/Lowering.h"
#include "compiler/conversion/tt_to_cpu/Support.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tilescope::cpu {

SmallVector<Value> KernelLowering::callRegion(Region &region, ValueRange arguments) {
  const Location loc = m_loc;
  Block &block = region.front();
  m_scalars.map(block.getArguments(), arguments);
  lowerBlock(block);
  m_loc = loc;
  SmallVector<Value> results;
  for (Value result : block.getTerminator()->getOperands())
    results.push_back(scalar(result));
  return results;
}

Lanes KernelLowering::chooseLanesFor(Region &region, ArrayRef<Value> blocks) const {
  return takesLanes(region) ? chooseLanes(blocks) : Lanes();
}

/// All elements in one dimension, as they lie in memory.
static Buffer flattened(const Buffer &buffer) {
  return {buffer.base,
          RankedTensorType::get({buffer.type.getNumElements()}, buffer.type.getElementType())};
}

void KernelLowering::lowerMap(tt::MapElementwiseOp map) {
  for (Value source : map.getSrcs())
    keep(source);
  const SmallVector<Buffer> results = allocateFor(map.getResults());
  const auto pack = static_cast<int64_t>(map.getPack());
  Nest nest(m_builder, {cast<RankedTensorType>(map.getResultTypes()[0]).getNumElements()}, Lanes(),
            m_zero);
  m_nest = &nest;
  nest.open(m_loc, 0, {}, /*skipFirst=*/false, pack);
  SmallVector<Place> places;
  for (int64_t i = 0; i < pack; ++i) {
    Place &place = places.emplace_back(nest.place());
    place.indices[0] = arith::AddIOp::create(m_builder, m_loc, place.indices[0],
                                             arith::ConstantIntOp::create(m_builder, m_loc, i, 64));
  }
  SmallVector<Value> arguments;
  for (Value source : map.getSrcs())
    for (const Place &place : places)
      arguments.push_back(readBuffer(flattened(m_buffers.lookup(source)), place));
  const SmallVector<Value> values = callRegion(map.getScalarOp(), arguments);
  for (auto [index, value] : llvm::enumerate(values))
    writeBuffer(flattened(results[index / places.size()]), places[index % places.size()], value);
  nest.close(m_loc);
  finishKept();
  for (auto [result, buffer] : llvm::zip(map.getResults(), results))
    m_buffers[result] = buffer;
}

} // namespace tilescope::cpu
