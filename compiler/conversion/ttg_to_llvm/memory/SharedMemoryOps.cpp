// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Buffers in shared memory: where they are, views into them, and copies to and from registers.
#include "compiler/conversion/ttg_to_llvm/common/ClusterExchange.h"
#include "compiler/conversion/ttg_to_llvm/common/Emit.h"
#include "compiler/conversion/ttg_to_llvm/common/Families.h"
#include "compiler/conversion/ttg_to_llvm/common/Scratch.h"
#include "compiler/conversion/ttg_to_llvm/memory/AccessWords.h"
#include "compiler/conversion/ttg_to_llvm/memory/Buffers.h"
#include "compiler/conversion/ttg_to_llvm/memory/MatrixLoad.h"
#include "compiler/conversion/ttg_to_llvm/memory/TensorMemory.h"
#include "compiler/dialects/ttg/ir/LayoutBridge.h"
#include "compiler/dialects/ttg/ir/RingTurns.h"

using namespace mlir;

namespace tilescope::compiler {

SharedRegion regionOf(Lowering &lowering, Value buffer) {
  auto type = cast<ttg::MemDescType>(buffer.getType());
  const Values &values = lowering.values(buffer);
  const LinearLayout &layout = ttg::toLinearLayout(type);
  SharedRegion region{
      values.front(), partOfBlock(layout).value_or(layout), paddingOf(type.getEncoding()), {}};
  for (Value offset : ArrayRef<Value>(values).drop_front())
    region.offsets.push_back(isZero(offset) ? Value() : offset);
  return region;
}

LogicalResult verifyParts(Operation *op, RankedTensorType registers, ttg::MemDescType buffer) {
  if (haveEqualParts(ttg::toLinearLayout(registers), ttg::toLinearLayout(buffer)))
    return success();
  return op->emitError("`") << op->getName()
                            << "` between registers and a buffer that the blocks of a cluster "
                               "divide in different ways is not supported";
}

LogicalResult verifyWhole(Operation *op, ttg::MemDescType buffer) {
  if (llvm::all_of(ttg::toLinearLayout(buffer).columns(Dim::Block),
                   [](uint64_t column) { return column == 0; }))
    return success();
  return op->emitError("`") << op->getName()
                            << "` of a buffer that the blocks of a cluster divide is not supported";
}

static LogicalResult lowerLocalAlloc(ttg::LocalAllocOp op, Lowering &lowering) {
  if (op.getSrc() && failed(verifyParts(op, op.getSrc().getType(), op.getType())))
    return failure();
  Values values{lowering.sharedPointer(op)};
  values.append(op.getType().getRank(), i32Constant(lowering.b, 0));
  lowering.set(op, std::move(values));
  if (op.getSrc())
    storeToShared(lowering, regionOf(lowering, op), lowering.layout(op.getSrc().getType()),
                  lowering.values(op.getSrc()));
  return success();
}

// Buffers have no life in the code: their places were chosen before.
static LogicalResult lowerLocalDealloc(ttg::LocalDeallocOp, Lowering &) { return success(); }

static LogicalResult lowerLocalLoad(ttg::LocalLoadOp op, Lowering &lowering) {
  if (failed(verifyParts(op, op.getType(), op.getSrc().getType())))
    return failure();
  SharedRegion region = regionOf(lowering, op.getSrc());
  const LinearLayout &layout = lowering.layout(op.getType());
  Type element = lowering.elementType(op.getType());
  Values values;
  if (isa<ttg::DotOperandEncodingAttr>(op.getType().getEncoding()))
    values = loadMatrices(lowering, region, layout, element);
  if (values.empty())
    values = loadFromShared(lowering, region, layout, element);
  lowering.set(op, std::move(values));
  return success();
}

static LogicalResult lowerLocalStore(ttg::LocalStoreOp op, Lowering &lowering) {
  if (failed(verifyParts(op, op.getSrc().getType(), op.getDst().getType())))
    return failure();
  storeToShared(lowering, regionOf(lowering, op.getDst()), lowering.layout(op.getSrc().getType()),
                lowering.values(op.getSrc()));
  return success();
}

/// How far the next buffer of a stack is, in bytes.
static int64_t slotPitch(Value stack) {
  if (auto ring = stack.getDefiningOp<ttg::LocalAllocOp>())
    if (const auto turn = ttg::ringTurnOf(ring))
      return turn->pitch;
  const auto type = cast<ttg::MemDescType>(stack.getType());
  return bufferBytes(type) / type.getAllocShape().front();
}

static LogicalResult lowerIndex(ttg::MemDescIndexOp op, Lowering &lowering) {
  Builder &b = lowering.b;
  const Values &source = lowering.values(op.getSrc());
  ttg::MemDescType type = op.getSrc().getType();
  Value index = lowering.scalar(op.getIndex());
  if (ttng::isInTensorMemory(type)) {
    Value columns = LLVM::MulOp::create(b, index, i32Constant(b, tensorColumns(op.getType())));
    lowering.set(op, {LLVM::AddOp::create(b, source.front(), columns)});
    return success();
  }
  if (!isZero(source[1]))
    index = LLVM::AddOp::create(b, index, source[1]);
  Value bytes = LLVM::MulOp::create(b, index, i32Constant(b, slotPitch(op.getSrc())));
  Values values{advanceBytes(b, source.front(), bytes)};
  values.append(source.begin() + 2, source.end());
  lowering.set(op, std::move(values));
  return success();
}

static LogicalResult lowerSubslice(ttg::MemDescSubsliceOp op, Lowering &lowering) {
  Builder &b = lowering.b;
  Values values = lowering.values(op.getSrc());
  for (auto [dim, offset] : llvm::enumerate(op.getOffsets()))
    if (offset != 0) {
      Value &value = values[1 + dim];
      Value added = i32Constant(b, offset);
      value = isZero(value) ? added : LLVM::AddOp::create(b, value, added).getResult();
    }
  lowering.set(op, std::move(values));
  return success();
}

static LogicalResult lowerTrans(ttg::MemDescTransOp op, Lowering &lowering) {
  const Values &source = lowering.values(op.getSrc());
  Values values{source.front()};
  for (int32_t dim : op.getOrder())
    values.push_back(source[1 + dim]);
  lowering.set(op, std::move(values));
  return success();
}

/// Views that start where their source starts.
template <typename Op> static LogicalResult lowerWholeView(Op op, Lowering &lowering) {
  const Values &source = lowering.values(op.getSrc());
  if (ttng::isInTensorMemory(op.getType())) {
    lowering.set(op, {source.front()});
    return success();
  }
  if (!llvm::all_of(ArrayRef<Value>(source).drop_front(), isZero))
    return op.emitError("`") << op->getName() << "` of a part of a buffer is not supported";
  Values values{source.front()};
  values.append(op.getType().getRank(), i32Constant(lowering.b, 0));
  lowering.set(op, std::move(values));
  return success();
}

void addSharedMemoryLowerings(LoweringTable &table) {
  table.add<ttg::LocalAllocOp>(lowerLocalAlloc);
  table.add<ttg::LocalDeallocOp>(lowerLocalDealloc);
  table.add<ttg::LocalLoadOp>(lowerLocalLoad);
  table.add<ttg::LocalStoreOp>(lowerLocalStore);
  table.add<ttg::MemDescIndexOp>(lowerIndex);
  table.add<ttg::MemDescSubsliceOp>(lowerSubslice);
  table.add<ttg::MemDescTransOp>(lowerTrans);
  table.add<ttg::MemDescReshapeOp>(lowerWholeView<ttg::MemDescReshapeOp>);
  table.add<ttg::MemDescReinterpretOp>(lowerWholeView<ttg::MemDescReinterpretOp>);
}

} // namespace tilescope::compiler
