// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Operations that move nothing: the registers of the result are registers of the sources.
#include "compiler/conversion/ttg_to_llvm/common/Families.h"
#include "compiler/conversion/ttg_to_llvm/common/RegisterMatch.h"

using namespace mlir;

namespace tilescope::compiler {

FailureOr<SmallVector<int>> matchRegisters(const LinearLayout &source, const LinearLayout &result,
                                           llvm::function_ref<uint64_t(uint64_t)> toSource) {
  LinearLayout from = source.canonicalOuts(), to = result.canonicalOuts();
  llvm::DenseMap<uint64_t, int> bySourceElement;
  for (int index = from.inSize(Dim::Register) - 1; index >= 0; --index)
    bySourceElement[from.applyPacked(index)] = index;
  SmallVector<int> match;
  for (int index = 0; index < to.inSize(Dim::Register); ++index) {
    auto it = bySourceElement.find(toSource(to.applyPacked(index)));
    if (it == bySourceElement.end())
      return failure();
    match.push_back(it->second);
  }
  return match;
}

static LogicalResult rename(Operation *op, Value source, Value result, Lowering &lowering,
                            llvm::function_ref<uint64_t(uint64_t)> toSource) {
  FailureOr<SmallVector<int>> match = matchRegisters(lowering.layout(source.getType()),
                                                     lowering.layout(result.getType()), toSource);
  if (failed(match))
    return op->emitError("the layouts of `") << op->getName() << "` would need a data movement";
  const Values &from = lowering.values(source);
  Values values;
  for (int index : *match)
    values.push_back(from[index]);
  lowering.set(result, std::move(values));
  return success();
}

static LogicalResult lowerSplat(tt::SplatOp op, Lowering &lowering) {
  lowering.set(op, Values(lowering.numRegisters(op.getType()), lowering.scalar(op.getSrc())));
  return success();
}

static LogicalResult lowerUnsplat(tt::UnsplatOp op, Lowering &lowering) {
  lowering.set(op, {lowering.scalar(op.getSrc())});
  return success();
}

// Inserting a dimension, or cutting the elements' row-major order differently, changes no row-major
// index.
static LogicalResult lowerExpandDims(tt::ExpandDimsOp op, Lowering &lowering) {
  return rename(op, op.getSrc(), op, lowering, [](uint64_t element) { return element; });
}

static LogicalResult lowerReshape(tt::ReshapeOp op, Lowering &lowering) {
  if (op.getAllowReorder()) {
    Values values = lowering.values(op.getSrc());
    if (values.size() != size_t(lowering.numRegisters(op.getType())))
      return op.emitError("a reshape in any order must keep the number of registers");
    lowering.set(op, std::move(values));
    return success();
  }
  return rename(op, op.getSrc(), op, lowering, [](uint64_t element) { return element; });
}

/// Row-major index in `shape` of coordinates.
static uint64_t pack(ArrayRef<int64_t> shape, ArrayRef<int64_t> coordinates) {
  uint64_t index = 0;
  for (auto [extent, coordinate] : llvm::zip(shape, coordinates))
    index = index * extent + coordinate;
  return index;
}

static SmallVector<int64_t> unpack(ArrayRef<int64_t> shape, uint64_t index) {
  SmallVector<int64_t> coordinates(shape.size());
  for (int dim = shape.size() - 1; dim >= 0; --dim) {
    coordinates[dim] = index % shape[dim];
    index /= shape[dim];
  }
  return coordinates;
}

static LogicalResult lowerBroadcast(tt::BroadcastOp op, Lowering &lowering) {
  ArrayRef<int64_t> from = cast<RankedTensorType>(op.getSrc().getType()).getShape();
  ArrayRef<int64_t> to = cast<RankedTensorType>(op.getType()).getShape();
  return rename(op, op.getSrc(), op, lowering, [&](uint64_t element) {
    SmallVector<int64_t> coordinates = unpack(to, element);
    for (auto [coordinate, extent] : llvm::zip(coordinates, from))
      coordinate = extent == 1 ? 0 : coordinate;
    return pack(from, coordinates);
  });
}

static LogicalResult lowerTrans(tt::TransOp op, Lowering &lowering) {
  ArrayRef<int64_t> from = cast<RankedTensorType>(op.getSrc().getType()).getShape();
  ArrayRef<int64_t> to = cast<RankedTensorType>(op.getType()).getShape();
  return rename(op, op.getSrc(), op, lowering, [&](uint64_t element) {
    SmallVector<int64_t> coordinates = unpack(to, element), source(from.size());
    for (auto [index, dim] : llvm::enumerate(op.getOrder()))
      source[dim] = coordinates[index];
    return pack(from, source);
  });
}

static LogicalResult lowerJoin(tt::JoinOp op, Lowering &lowering) {
  const LinearLayout &result = lowering.layout(op.getType());
  auto match = matchRegisters(lowering.layout(op.getLhs().getType()), result,
                              [](uint64_t element) { return element >> 1; });
  if (failed(match))
    return op.emitError("the layouts of `tt.join` would need a data movement");
  LinearLayout canonical = result.canonicalOuts();
  Values values;
  for (auto [index, source] : llvm::enumerate(*match))
    values.push_back(
        lowering.values(canonical.applyPacked(index) & 1 ? op.getRhs() : op.getLhs())[source]);
  lowering.set(op, std::move(values));
  return success();
}

static LogicalResult lowerSplit(tt::SplitOp op, Lowering &lowering) {
  for (unsigned half : {0, 1})
    if (failed(rename(op, op.getSrc(), op->getResult(half), lowering,
                      [&](uint64_t element) { return element << 1 | half; })))
      return failure();
  return success();
}

static LogicalResult lowerCat(tt::CatOp op, Lowering &lowering) {
  Values values = lowering.values(op.getLhs());
  llvm::append_range(values, lowering.values(op.getRhs()));
  if (values.size() != size_t(lowering.numRegisters(op.getType())))
    return op.emitError("blocks this small cannot be concatenated: threads hold copies of their "
                        "elements");
  lowering.set(op, std::move(values));
  return success();
}

void addShapeLowerings(LoweringTable &table) {
  table.add<tt::SplatOp>(lowerSplat);
  table.add<tt::UnsplatOp>(lowerUnsplat);
  table.add<tt::ExpandDimsOp>(lowerExpandDims);
  table.add<tt::ReshapeOp>(lowerReshape);
  table.add<tt::BroadcastOp>(lowerBroadcast);
  table.add<tt::TransOp>(lowerTrans);
  table.add<tt::JoinOp>(lowerJoin);
  table.add<tt::SplitOp>(lowerSplit);
  table.add<tt::CatOp>(lowerCat);
}

} // namespace tilescope::compiler
