// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Blocks whose elements are those of others at other places, or that count them: by way of memory.
#include "compiler/conversion/tt_to_cpu/Lowering.h"
#include "compiler/conversion/tt_to_cpu/Vectors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace tilescope::cpu {

static RankedTensorType blockType(Value value) { return cast<RankedTensorType>(value.getType()); }

/// In memory, elements keep their order: the result is the source by another name.
void KernelLowering::lowerReshape(tt::ReshapeOp reshape) {
  keep(reshape.getSrc());
  m_buffers[reshape.getResult()] = {m_buffers.lookup(reshape.getSrc()).base, reshape.getType()};
}

/// The places of the source in the result have another last index.
void KernelLowering::lowerJoin(tt::JoinOp join) {
  const Buffer result = allocateResult(join.getResult());
  for (auto [half, source] : llvm::enumerate(join->getOperands())) {
    Value last = arith::ConstantIntOp::create(m_builder, m_loc, half, 64);
    forEachTile(blockType(source).getShape(), chooseLanes({source}), {source}, [&] {
      Place place = m_nest->place();
      Value tile = at(source, place);
      place.indices.push_back(last);
      writeBuffer(result, place, tile);
    });
  }
  m_buffers[join.getResult()] = result;
}

void KernelLowering::lowerSplit(tt::SplitOp split) {
  keep(split.getSrc());
  const Buffer source = m_buffers.lookup(split.getSrc());
  for (auto [half, result] : llvm::enumerate(split->getResults())) {
    const Buffer target = allocateResult(result);
    Value last = arith::ConstantIntOp::create(m_builder, m_loc, half, 64);
    forEachTile(target.type.getShape(), chooseLanes({result}), {}, [&] {
      Place place = m_nest->place();
      place.indices.push_back(last);
      Value tile = readBuffer(source, place);
      writeBuffer(target, m_nest->place(), tile);
    });
    m_buffers[result] = target;
  }
}

void KernelLowering::lowerCat(tt::CatOp cat) {
  const Buffer result = allocateResult(cat.getResult());
  int64_t first = 0;
  for (Value source : cat->getOperands()) {
    Value offset = arith::ConstantIntOp::create(m_builder, m_loc, first, 64);
    forEachTile(blockType(source).getShape(), chooseLanes({source}), {source}, [&] {
      Place place = m_nest->place();
      Value tile = at(source, place);
      place.indices[0] = arith::AddIOp::create(m_builder, m_loc, place.indices[0], offset);
      writeBuffer(result, place, tile);
    });
    first += blockType(source).getDimSize(0);
  }
  m_buffers[cat.getResult()] = result;
}

/// The integers as i64, one for each lane.
static Value asIndex(OpBuilder &b, Location loc, Value tile) {
  Type type = typeLike(tile, b.getI64Type());
  return tile.getType() == type ? tile : Value(arith::ExtSIOp::create(b, loc, type, tile));
}

void KernelLowering::lowerGather(tt::GatherOp gather) {
  keep(gather.getSrc());
  const Buffer source = m_buffers.lookup(gather.getSrc());
  const Buffer result = allocateResult(gather.getResult());
  const unsigned axis = gather.getAxis();
  Value indices = gather.getIndices();
  forEachTile(result.type.getShape(), chooseLanes({indices}), {indices}, [&] {
    Place place = m_nest->place();
    Value index = asIndex(m_builder, m_loc, at(indices, place));
    // Extents are powers of two: what would be outside stays inside.
    Value most = integerLike(m_builder, m_loc, index, source.type.getDimSize(axis) - 1);
    index = arith::AndIOp::create(m_builder, m_loc, index, most);
    writeBuffer(result, m_nest->place(), readPicked(source, place, axis, index));
  });
  m_buffers[gather.getResult()] = result;
}

void KernelLowering::lowerHistogram(tt::HistogramOp histogram) {
  keep(histogram.getSrc());
  if (histogram.getMask())
    keep(histogram.getMask());
  const Buffer bins = allocateResult(histogram.getResult());
  Type element = elementTypeOf(bins.type);
  Value zero = arith::ConstantOp::create(m_builder, m_loc, m_builder.getIntegerAttr(element, 0));
  Value one = arith::ConstantOp::create(m_builder, m_loc, m_builder.getIntegerAttr(element, 1));
  forEachTile(bins.type.getShape(), chooseLanes({histogram.getResult()}), {},
              [&] { writeBuffer(bins, m_nest->place(), zero); });
  forEachTile(blockType(histogram.getSrc()).getShape(), Lanes(), {}, [&] {
    const Place &place = m_nest->place();
    Value bin = asIndex(m_builder, m_loc, at(histogram.getSrc(), place));
    Value counts =
        arith::CmpIOp::create(m_builder, m_loc, arith::CmpIPredicate::ult, bin,
                              integerLike(m_builder, m_loc, bin, bins.type.getNumElements()));
    if (histogram.getMask())
      counts = arith::AndIOp::create(m_builder, m_loc, counts, at(histogram.getMask(), place));
    scf::IfOp::create(m_builder, m_loc, counts, [&](OpBuilder &b, Location loc) {
      Value address = elementAddress(b, loc, bins.base, bin, element);
      Value count = LLVM::LoadOp::create(b, loc, element, address);
      LLVM::StoreOp::create(b, loc, arith::AddIOp::create(b, loc, count, one), address);
      scf::YieldOp::create(b, loc);
    });
  });
  m_buffers[histogram.getResult()] = bins;
}

} // namespace tilescope::cpu
