// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Allocation of tensor memory, and views of it.
#include "compiler/conversion/ttg_to_llvm/memory/TensorMemory.h"

#include "compiler/conversion/ttg_to_llvm/common/Emit.h"
#include "compiler/conversion/ttg_to_llvm/common/Families.h"
#include "compiler/conversion/ttg_to_llvm/common/RegisterFinder.h"
#include "compiler/conversion/ttg_to_llvm/memory/BulkCopy.h"
#include "compiler/conversion/ttg_to_llvm/memory/TensorAccess.h"
#include "compiler/conversion/ttg_to_llvm/ptx/InlinePtx.h"
#include "compiler/dialects/ttg/ir/LayoutBridge.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

namespace tilescope::compiler {

static constexpr int64_t kWordBits = 32;

/// The layout of one slot of a stack of buffers.
static const LinearLayout &slotLayout(ttg::MemDescType type) {
  return ttg::toLinearLayout(type.getShape().take_back(2), type.getEncoding());
}

int64_t tensorColumns(ttg::MemDescType type) {
  const int64_t slots = type.getRank() > 2 ? type.getDimSize(0) : 1;
  const int64_t bits = slotLayout(type).inSize(Dim::Column) * type.getElementTypeBitWidth();
  return slots * llvm::divideCeil(bits, kWordBits);
}

TensorPlaces::TensorPlaces(ttg::MemDescType type)
    : m_fromTensor(slotLayout(type).canonicalOuts().pseudoinvert()),
      m_columns(type.getShape().back()), m_perWord(kWordBits / type.getElementTypeBitWidth()) {}

std::pair<int64_t, int64_t> TensorPlaces::place(int64_t down, int64_t right) const {
  int64_t row = 0, column = 0;
  for (const DimValue &value :
       m_fromTensor.unpackOut(m_fromTensor.applyPacked(down * m_columns + right)))
    (value.dim == Dim::Row ? row : column) = value.value;
  return {row << kTensorRowShift | column / m_perWord, column % m_perWord};
}

static Value isInFirstWarp(Lowering &lowering) {
  Value thread = lowering.threadId();
  return LLVM::ICmpOp::create(lowering.b, LLVM::ICmpPredicate::ult, thread,
                              i32Constant(lowering.b, 32));
}

Value allocateTensorMemory(Lowering &lowering, int64_t columns) {
  Builder &b = lowering.b;
  const auto meet = [&] {
    callIntrinsic(b, "llvm.nvvm.barrier.cta.sync.aligned.all", {i32Constant(b, 0)});
  };
  // No buffer in shared memory is in use yet.
  Value place = lowering.sharedBase();
  Value first = isInFirstWarp(lowering);
  ptx::tcgen05Alloc(b, first, LLVM::PtrToIntOp::create(b, b.getI32Type(), place), columns);
  meet();
  Value base = LLVM::LoadOp::create(b, b.getI32Type(), place);
  // Bulk copies may write there next.
  fenceAsyncProxy(b, NVVM::SharedSpace::shared_cta);
  meet();
  ptx::tcgen05RelinquishAllocPermit(b, first);
  return base;
}

void freeTensorMemory(Lowering &lowering, int64_t columns) {
  lowering.barrier();
  Value first = isInFirstWarp(lowering);
  ptx::tcgen05Dealloc(lowering.b, first, lowering.tensorMemory(), columns);
}

void beginTensorOperations(Lowering &lowering) {
  NVVM::Tcgen05FenceOp::create(lowering.b, NVVM::Tcgen05FenceKind::AFTER_THREAD_SYNC);
}

void endTensorOperations(Lowering &lowering) {
  NVVM::Tcgen05FenceOp::create(lowering.b, NVVM::Tcgen05FenceKind::BEFORE_THREAD_SYNC);
}

void byElectedThread(Lowering &lowering, Value predicate,
                     llvm::function_ref<void(Value isElected)> body) {
  Builder &b = lowering.b;
  // From lane 0, so that the assembler knows that no warp is split.
  Value warp = shuffle(b, ShuffleMode::Index, lowering.warpId(), i32Constant(b, 0));
  Value condition = LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::eq, warp, i32Constant(b, 0));
  if (predicate)
    condition = LLVM::AndOp::create(b, condition, lowering.scalar(predicate));
  lowering.emitIf(condition, [&] {
    body(NVVM::ElectSyncOp::create(b, b.getI1Type(), /*membermask=*/Value()));
  });
}

static LogicalResult lowerAlloc(ttng::TMEMAllocOp op, Lowering &lowering) {
  Builder &b = lowering.b;
  if (lowering.capability() / 10 != 10 && lowering.capability() / 10 != 11)
    return op.emitError("tensor memory needs a GPU of sm_100 to sm_110, not sm_")
           << lowering.capability();
  auto column = op->getAttrOfType<IntegerAttr>(ttg::kAllocationOffsetAttr);
  Value address = lowering.tensorMemory();
  if (column.getInt() != 0)
    address = LLVM::AddOp::create(b, address, i32Constant(b, column.getInt()));
  lowering.set(op.getResult(), {address});
  if (op.getToken())
    lowering.set(op.getToken(), {});
  if (op.getSrc())
    return storeToTensorMemory(op, lowering, op.getSrc(), op.getResult(), {});
  return success();
}

/// The smallest or largest of each row, all of which a thread has in registers.
static LogicalResult reduceRows(ttng::TMEMLoadOp op, Lowering &lowering) {
  Builder &b = lowering.b;
  auto block = cast<RankedTensorType>(op.getResult().getType());
  const bool isMax = *op.getRedOp() == ttng::LoadReduction::MAX;
  const bool keepsNan = op.getNaN().value_or(false);
  const std::string combine =
      std::string("llvm.") + (isMax ? "max" : "min") + (keepsNan ? "imum" : "num") + ".f32";
  const RegisterFinder finder(lowering.layout(block));
  const LinearLayout &rows = lowering.layout(op.getRed().getType());
  Values results;
  for (int index = 0; index < rows.inSize(Dim::Register); ++index) {
    const int64_t row = Lowering::registerPart(rows, index, tensorDim(0));
    Value result;
    for (int64_t column = 0; column < block.getDimSize(1); ++column) {
      const int found = finder.find({row, column});
      if (found < 0)
        return op.emitError("rows that several threads share cannot be reduced by the load");
      Value value = lowering.values(op.getResult())[found];
      if (op.getAbs().value_or(false))
        value = callIntrinsic(b, "llvm.fabs.f32", value.getType(), {value});
      result = result ? callIntrinsic(b, combine, value.getType(), {result, value}) : value;
    }
    results.push_back(result);
  }
  lowering.set(op.getRed(), std::move(results));
  return success();
}

static LogicalResult lowerLoad(ttng::TMEMLoadOp op, Lowering &lowering) {
  if (op.getToken())
    lowering.set(op.getToken(), {});
  if (failed(loadFromTensorMemory(op, lowering)))
    return failure();
  return op.getRed() ? reduceRows(op, lowering) : success();
}

static LogicalResult lowerStore(ttng::TMEMStoreOp op, Lowering &lowering) {
  if (op.getToken())
    lowering.set(op.getToken(), {});
  return storeToTensorMemory(op, lowering, op.getSrc(), op.getDst(), op.getPred());
}

/// The address of the part's first element, relative to the source.
static FailureOr<int64_t> partAddress(ttng::TMEMSubSliceOp op) {
  ttg::MemDescType source = op.getSrc().getType();
  const int64_t offset = op.getOffset(), stacked = source.getRank() - 2;
  const int64_t dim = int64_t(op.getDim()) - stacked;
  if (dim < 0)
    return offset * tensorColumns(source) / source.getDimSize(0);
  auto encoding = dyn_cast<ttng::TensorMemoryEncodingAttr>(source.getEncoding());
  if (!encoding || stacked != 0 || encoding.getBlockM() != kTensorMemoryRows)
    return op.emitError("parts of a buffer of other than 128 rows are not supported");
  // Columns of one block of rows, or blocks of rows that lie one after the other.
  const bool isWhole =
      dim == 1 ? source.getDimSize(0) == kTensorMemoryRows
               : offset % kTensorMemoryRows == 0 && source.getDimSize(1) <= encoding.getBlockN();
  if (!isWhole)
    return op.emitError("a part of several blocks in tensor memory is not supported");
  TensorPlaces places(source);
  return dim == 1 ? places.address(0, offset) : places.address(offset, 0);
}

static LogicalResult lowerSubslice(ttng::TMEMSubSliceOp op, Lowering &lowering) {
  Builder &b = lowering.b;
  FailureOr<int64_t> address = partAddress(op);
  if (failed(address))
    return failure();
  lowering.set(op.getResult(),
               {LLVM::AddOp::create(b, lowering.scalar(op.getSrc()), i32Constant(b, *address))});
  return success();
}

static LogicalResult lowerWait(ttng::TMEMWaitOp op, Lowering &lowering) {
  const bool isLoad = op.getAccess() == ttng::TensorAccess::LOAD;
  NVVM::Tcgen05WaitOp::create(lowering.b,
                              isLoad ? NVVM::Tcgen05WaitKind::LOAD : NVVM::Tcgen05WaitKind::STORE);
  return success();
}

void addTensorMemoryLowerings(LoweringTable &table) {
  table.add<ttng::TMEMAllocOp>(lowerAlloc);
  table.add<ttng::TMEMLoadOp>(lowerLoad);
  table.add<ttng::TMEMStoreOp>(lowerStore);
  table.add<ttng::TMEMSubSliceOp>(lowerSubslice);
  table.add<ttng::TMEMWaitOp>(lowerWait);
}

} // namespace tilescope::compiler
