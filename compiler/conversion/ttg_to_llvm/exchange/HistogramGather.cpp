// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Operations whose access pattern depends on data: by way of shared memory.
#include "compiler/conversion/ttg_to_llvm/common/Emit.h"
#include "compiler/conversion/ttg_to_llvm/common/Families.h"
#include "compiler/conversion/ttg_to_llvm/memory/SharedAccess.h"

using namespace mlir;

namespace tilescope::compiler {

static LogicalResult lowerHistogram(tt::HistogramOp op, Lowering &lowering) {
  Builder &b = lowering.b;
  Type i32 = b.getI32Type();
  int64_t bins = cast<RankedTensorType>(op.getType()).getNumElements();
  Value scratch = lowering.sharedPointer(op);
  Value thread = lowering.threadId();
  // Scratch is at least as large as this clears, and rounded up to whole warps of counters.
  for (int64_t first = 0; first < bins; first += lowering.numThreads()) {
    auto clear = [&] {
      Value index = LLVM::AddOp::create(b, thread, i32Constant(b, first));
      LLVM::StoreOp::create(b, i32Constant(b, 0), elementPointer(b, scratch, i32, index));
    };
    if (bins - first >= lowering.numThreads()) {
      clear();
      continue;
    }
    Value inRange =
        LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::ult, thread, i32Constant(b, bins - first));
    lowering.emitIf(inRange, clear);
  }
  lowering.barrier();
  Value once = lowering.holdsOriginalInBlock(lowering.layout(op.getSrc().getType()));
  for (auto [index, source] : llvm::enumerate(lowering.values(op.getSrc()))) {
    Type type = source.getType();
    Value counts = intConstant(b, b.getI1Type(), 1);
    unsigned bits = type.getIntOrFloatBitWidth();
    if (bits > 31 || bins < (int64_t(1) << bits))
      counts =
          LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::ult, source, intConstant(b, type, bins));
    if (op.getMask())
      counts = LLVM::AndOp::create(b, counts, lowering.values(op.getMask())[index]);
    if (once)
      counts = LLVM::AndOp::create(b, counts, once);
    lowering.emitIf(counts, [&] {
      Value bin = bits > 32   ? LLVM::TruncOp::create(b, i32, source).getResult()
                  : bits < 32 ? LLVM::ZExtOp::create(b, i32, source).getResult()
                              : source;
      LLVM::AtomicRMWOp::create(b, LLVM::AtomicBinOp::add, elementPointer(b, scratch, i32, bin),
                                i32Constant(b, 1), LLVM::AtomicOrdering::monotonic, "block");
    });
  }
  lowering.barrier();
  Values results;
  Type type = lowering.elementType(op.getType());
  for (Value position : lowering.positions(lowering.layout(op.getType()))) {
    Value count = LLVM::LoadOp::create(b, i32, elementPointer(b, scratch, i32, position));
    unsigned bits = type.getIntOrFloatBitWidth();
    results.push_back(bits > 32   ? LLVM::ZExtOp::create(b, type, count).getResult()
                      : bits < 32 ? LLVM::TruncOp::create(b, type, count).getResult()
                                  : count);
  }
  lowering.set(op, std::move(results));
  return success();
}

static LogicalResult lowerGather(tt::GatherOp op, Lowering &lowering) {
  Builder &b = lowering.b;
  auto source = cast<RankedTensorType>(op.getSrc().getType());
  Type element = lowering.elementType(source), storage = storageType(element);
  Value scratch = lowering.sharedPointer(op);
  // The source in row-major order.
  const LinearLayout &layout = lowering.layout(source);
  LinearLayout rowMajor;
  for (int dim = source.getRank() - 1; dim >= 0; --dim)
    rowMajor *= LinearLayout::identity(source.getDimSize(dim), Dim::Offset, tensorDim(dim));
  storeToShared(lowering, {scratch, rowMajor, {}, {}}, layout, lowering.values(op.getSrc()));
  lowering.barrier();
  const LinearLayout &indices = lowering.layout(op.getIndices().getType());
  SmallVector<Values> coordinates;
  for (int dim = 0; dim < source.getRank(); ++dim)
    coordinates.push_back(lowering.coordinates(indices, tensorDim(dim)));
  Values results;
  for (auto [index, picked] : llvm::enumerate(lowering.values(op.getIndices()))) {
    unsigned bits = picked.getType().getIntOrFloatBitWidth();
    Value along = bits > 32   ? LLVM::TruncOp::create(b, b.getI32Type(), picked).getResult()
                  : bits < 32 ? LLVM::ZExtOp::create(b, b.getI32Type(), picked).getResult()
                              : picked;
    Value position;
    for (int dim = 0; dim < source.getRank(); ++dim) {
      Value coordinate = dim == int(op.getAxis()) ? along : coordinates[dim][index];
      if (!position) {
        position = coordinate;
        continue;
      }
      position = LLVM::MulOp::create(b, position, i32Constant(b, source.getDimSize(dim)));
      position = LLVM::AddOp::create(b, position, coordinate);
    }
    Value loaded = LLVM::LoadOp::create(b, storage, elementPointer(b, scratch, storage, position));
    results.push_back(fromStorage(b, loaded, element));
  }
  lowering.set(op, std::move(results));
  return success();
}

void addHistogramGatherLowerings(LoweringTable &table) {
  table.add<tt::HistogramOp>(lowerHistogram);
  table.add<tt::GatherOp>(lowerGather);
}

} // namespace tilescope::compiler
