// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Bulk copies of rows in several places: four to an instruction. The thread that holds the places
// of four rows that follow one another in the buffer copies them; rows longer than what is swizzled
// take several instructions. Source: PTX ISA, "cp.async.bulk.tensor", modes `tile::gather4` and
// `tile::scatter4`.
#include "compiler/conversion/ttg_to_llvm/common/Emit.h"
#include "compiler/conversion/ttg_to_llvm/common/Families.h"
#include "compiler/conversion/ttg_to_llvm/memory/Buffers.h"
#include "compiler/conversion/ttg_to_llvm/memory/BulkCopy.h"
#include "compiler/conversion/ttg_to_llvm/ptx/InlinePtx.h"
#include "compiler/dialects/ttng/ir/Dialect.h"
#include "compiler/dialects/ttng/ir/TensorBox.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

namespace tilescope::compiler {

static constexpr int kRowsPerCopy = 4;

namespace {
/// Rows between a described matrix and a buffer.
struct RowCopy {
  Operation *op;
  TypedValue<tt::TensorDescType> desc;
  /// Where the rows are in the matrix, and the first column.
  Value rows, column;
  Value buffer;
  /// Null for copies out of the buffer.
  Value barrier, predicate;
};
} // namespace

static LogicalResult copyRows(const RowCopy &copy, Lowering &lowering) {
  Builder &b = lowering.b;
  const LinearLayout &layout = lowering.layout(copy.rows.getType());
  const Values &places = lowering.values(copy.rows);
  if (failed(verifyWhole(copy.op, cast<ttg::MemDescType>(copy.buffer.getType()))))
    return failure();
  std::optional<ttng::TensorBox> box = ttng::tensorBox(copy.desc.getType());
  const Values inBuffer = lowering.coordinates(layout, tensorDim(0));
  bool isGrouped = places.size() % kRowsPerCopy == 0;
  for (int bit = 0; isGrouped && bit < 2; ++bit)
    isGrouped = layout.basis(Dim::Register, bit, tensorDim(0)) == 1 << bit;
  if (!box || !isGrouped)
    return copy.op->emitError("`")
           << copy.op->getName()
           << "` needs an `nvmma_shared` buffer, and four rows that follow one another in a thread";
  auto type = cast<ttg::MemDescType>(copy.buffer.getType());
  const SharedRegion region = regionOf(lowering, copy.buffer);
  const int64_t bytes = storageBytes(lowering.elementType(type.getElementType()));
  const LinearLayout fromTensor = region.layout.canonicalOuts().invert();
  // The hardware swizzles by itself: addresses are those of rows that are not.
  const uint64_t mask = ~uint64_t(box->swizzleBytes ? box->swizzleBytes / bytes - 1 : 0);
  SmallVector<uint64_t> rowBytes;
  for (uint64_t offset : fromTensor.columns(tensorDim(0)))
    rowBytes.push_back((offset & mask) * bytes);
  Value start = LLVM::PtrToIntOp::create(b, b.getI32Type(), region.base);
  // A block of a cluster fills its own buffer; what leaves the cluster does so once.
  Value issues =
      copy.barrier ? lowering.holdsOriginalInBlock(layout) : lowering.holdsOriginal(layout);
  if (!issues)
    issues = intConstant(b, b.getI1Type(), 1);
  if (copy.predicate)
    issues = LLVM::AndOp::create(b, issues, lowering.scalar(copy.predicate));
  const int64_t width = box->extents.back();
  for (size_t first = 0; first < places.size(); first += kRowsPerCopy)
    for (int64_t right = 0; right < type.getShape().back(); right += width) {
      Value address = start;
      if (Value down = applyBases(b, inBuffer[first], rowBytes))
        address = LLVM::AddOp::create(b, address, down);
      const uint64_t stripBytes = (fromTensor.applyPacked(right) & mask) * bytes;
      if (stripBytes)
        address = LLVM::AddOp::create(b, address, i32Constant(b, int64_t(stripBytes)));
      Value column = lowering.scalar(copy.column);
      if (right)
        column = LLVM::AddOp::create(b, column, i32Constant(b, right));
      ptx::BulkCopy four{issues, address, lowering.scalar(copy.desc), {column}};
      for (int row = 0; row < kRowsPerCopy; ++row)
        four.coordinates.push_back(places[first + row]);
      if (copy.barrier)
        ptx::cpAsyncBulkTensorGather4(b, four, sharedAddress(lowering, copy.barrier));
      else
        ptx::cpAsyncBulkTensorScatter4(b, four);
    }
  return success();
}

static LogicalResult lowerGather(ttng::AsyncTMAGatherOp op, Lowering &lowering) {
  return copyRows({op, op.getDesc(), op.getXOffsets(), op.getYOffset(), op.getResult(),
                   op.getBarrier(), op.getPred()},
                  lowering);
}

static LogicalResult lowerScatter(ttng::AsyncTMAScatterOp op, Lowering &lowering) {
  if (failed(copyRows(
          {op, op.getDesc(), op.getXOffsets(), op.getYOffset(), op.getSrc(), Value(), Value()},
          lowering)))
    return failure();
  NVVM::CpAsyncBulkCommitGroupOp::create(lowering.b);
  return success();
}

void addBulkRowLowerings(LoweringTable &table) {
  table.add<ttng::AsyncTMAGatherOp>(lowerGather);
  table.add<ttng::AsyncTMAScatterOp>(lowerScatter);
}

} // namespace tilescope::compiler
