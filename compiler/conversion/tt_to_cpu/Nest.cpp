// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/tt_to_cpu/Nest.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tilescope::cpu {

Nest::Nest(OpBuilder &builder, ArrayRef<int64_t> shape, Lanes lanes, Value zero)
    : m_builder(builder), m_shape(shape), m_lanes(lanes), m_zero(zero) {
  m_place.indices.assign(shape.size(), zero);
  m_place.laneDim = lanes.dim;
}

SmallVector<Value> Nest::open(Location loc, unsigned dim, ValueRange carried, bool skipFirst,
                              int64_t rows) {
  const int64_t step = static_cast<int>(dim) == m_lanes.dim ? m_lanes.count : rows;
  Level &level = m_levels.emplace_back();
  level.dim = dim;
  if (m_shape[dim] == step)
    return llvm::to_vector(carried);
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(m_builder, loc, value, 64);
  };
  return openLoop(loc, {index(skipFirst ? step : 0), index(m_shape[dim])}, index(step), carried);
}

SmallVector<Value> Nest::openPart(Location loc, unsigned dim, const Part &part,
                                  ValueRange carried) {
  const int64_t step = static_cast<int>(dim) == m_lanes.dim ? m_lanes.count : 1;
  m_levels.emplace_back().dim = dim;
  return openLoop(loc, part, arith::ConstantIntOp::create(m_builder, loc, step, 64), carried);
}

SmallVector<Value> Nest::openLoop(Location loc, const Part &part, Value step, ValueRange carried) {
  Level &level = m_levels.back();
  level.loop = scf::ForOp::create(m_builder, loc, part.begin, part.end, step, carried);
  m_builder.setInsertionPointToStart(level.loop.getBody());
  m_place.indices[level.dim] = level.loop.getInductionVar();
  m_depths[level.loop.getInductionVar()] = m_levels.size();
  return llvm::to_vector_of<Value>(level.loop.getRegionIterArgs());
}

SmallVector<Value> Nest::close(Location loc, ValueRange yielded) {
  Level level = m_levels.pop_back_val();
  m_place.indices[level.dim] = m_zero;
  if (!level.loop)
    return llvm::to_vector(yielded);
  if (!yielded.empty())
    scf::YieldOp::create(m_builder, loc, yielded);
  m_builder.setInsertionPointAfter(level.loop);
  return llvm::to_vector_of<Value>(level.loop.getResults());
}

unsigned Nest::depthOf(ArrayRef<Value> indices) const {
  unsigned depth = 0;
  for (Value index : indices)
    depth = std::max(depth, m_depths.lookup(index));
  return depth;
}

void Nest::moveTo(unsigned depth) const {
  for (const Level &level : ArrayRef(m_levels).drop_front(depth))
    if (level.loop) {
      scf::ForOp loop = level.loop;
      m_builder.setInsertionPoint(loop);
      return;
    }
}

Nest::Key Nest::keyOf(Value block, const Place &place) {
  std::vector<void *> key;
  for (Value index : place.indices)
    key.push_back(index.getAsOpaquePointer());
  key.push_back(reinterpret_cast<void *>(static_cast<intptr_t>(place.laneDim)));
  return {block.getAsOpaquePointer(), std::move(key)};
}

Value Nest::find(Value block, const Place &place) const {
  auto it = m_known.find(keyOf(block, place));
  return it == m_known.end() ? Value() : it->second;
}

void Nest::remember(Value block, const Place &place, Value value) {
  m_known[keyOf(block, place)] = value;
}

} // namespace tilescope::cpu
