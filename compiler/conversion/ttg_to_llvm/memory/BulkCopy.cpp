// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Bulk copies of blocks that descriptors describe. One thread issues them; a block takes as many as
// it has boxes:
//
//     tensor<128x128xf16>, 128 bytes swizzled:  two boxes of 128 x 64, one after the other in
//     shared memory
//
// Source: PTX ISA, "Data movement and conversion instructions: tensor copy".
#include "compiler/conversion/ttg_to_llvm/memory/BulkCopy.h"

#include "compiler/conversion/ttg_to_llvm/common/Emit.h"
#include "compiler/conversion/ttg_to_llvm/common/Families.h"
#include "compiler/conversion/ttg_to_llvm/memory/Buffers.h"
#include "compiler/conversion/ttg_to_llvm/ptx/InlinePtx.h"
#include "compiler/dialects/ttg/ir/LayoutBridge.h"
#include "compiler/dialects/ttng/ir/Dialect.h"
#include "compiler/dialects/ttng/ir/TensorBox.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

namespace tilescope::compiler {

namespace {
/// One instruction's box: where it begins in the block, and in shared memory.
struct BoxPlace {
  SmallVector<int64_t> origin;
  Value shared;
};
} // namespace

/// The boxes of a block of data, or of a thread block's part of it, that is in `buffer`.
static SmallVector<BoxPlace> boxesOf(Lowering &lowering, const ttng::TensorBox &box,
                                     ArrayRef<int64_t> shape, Value buffer) {
  Builder &b = lowering.b;
  auto type = cast<ttg::MemDescType>(buffer.getType());
  SharedRegion region = regionOf(lowering, buffer);
  SharedAddresses addresses(lowering, region, {},
                            storageBytes(lowering.elementType(type.getElementType())));
  LinearLayout fromTensor = region.layout.canonicalOuts().invert();
  // The block may have leading dimensions of extent 1 that the buffer lacks.
  const size_t dropped = shape.size() - type.getRank();
  SmallVector<BoxPlace> places;
  SmallVector<int64_t> origin(shape.size(), 0);
  while (true) {
    uint64_t offset = 0;
    for (size_t dim = dropped; dim < shape.size(); ++dim) {
      std::span<const uint64_t> images = fromTensor.columns(tensorDim(dim - dropped));
      for (size_t bit = 0; bit < images.size(); ++bit)
        if (origin[dim] >> bit & 1)
          offset ^= images[bit];
    }
    Value address = LLVM::PtrToIntOp::create(b, b.getI32Type(), addresses.at(offset));
    places.push_back({origin, address});
    size_t dim = shape.size();
    while (dim > 0 && (origin[dim - 1] += box.extents[dim - 1]) == shape[dim - 1])
      origin[--dim] = 0;
    if (dim == 0)
      return places;
  }
}

/// Where this thread block's part of the data begins, along each dimension; null for at 0.
static Values beginOfPart(Lowering &lowering, RankedTensorType data) {
  Values begin(data.getRank());
  if (lowering.numCtas() == 1)
    return begin;
  const LinearLayout &layout = ttg::toLinearLayout(data.getShape(), data.getEncoding());
  for (int dim = 0; dim < data.getRank(); ++dim) {
    SmallVector<uint64_t> bases;
    for (int bit = 0; bit < layout.inBits(Dim::Block); ++bit)
      bases.push_back(layout.basis(Dim::Block, bit, tensorDim(dim)));
    begin[dim] = applyBases(lowering.b, lowering.blockRank(), bases);
  }
  return begin;
}

void fenceAsyncProxy(Builder &b, NVVM::SharedSpace space) {
  NVVM::FenceProxyOp::create(b, NVVM::ProxyKind::async_shared,
                             NVVM::SharedSpaceAttr::get(b.getContext(), space));
}

/// Lets `emit` copy each box, by one thread, where `predicate` (may be null) holds.
static LogicalResult copyBoxes(Operation *op, Lowering &lowering, Value desc,
                               ValueRange coordinates, Value buffer, Value predicate,
                               llvm::function_ref<void(const ptx::BulkCopy &)> emit) {
  Builder &b = lowering.b;
  std::optional<ttng::TensorBox> box = ttng::tensorBox(desc.getType());
  if (!box)
    return op->emitError("`")
           << op->getName() << "` of " << desc.getType()
           << " is not supported: bulk copies move blocks in `nvmma_shared` that "
              "are neither transposed nor padded";
  RankedTensorType data = ttng::describedBlock(desc.getType());
  const SmallVector<int64_t> shape =
      ttg::getShapePerCta(ttg::getCgaLayout(data.getEncoding()), data.getShape());
  const bool isOfImages = isa<ttng::TensorDescIm2ColType>(desc.getType());
  if (isOfImages && lowering.numCtas() > 1)
    return op->emitError("images for a cluster of several thread blocks are not supported");
  if (!isOfImages && coordinates.size() != shape.size())
    return op->emitError("needs a coordinate for each dimension of the described block");
  Value issues = firstThreadIf(lowering, predicate);
  const Values begin = beginOfPart(lowering, data);
  for (const BoxPlace &place : boxesOf(lowering, *box, shape, buffer)) {
    ptx::BulkCopy copy{issues, place.shared, lowering.scalar(desc), {}};
    // The hardware counts dimensions from the fastest. Of images, only channels move from box to box.
    for (size_t dim = coordinates.size(); dim-- > 0;) {
      Value coordinate = lowering.scalar(coordinates[dim]);
      const size_t ofBlock = dim + shape.size() - coordinates.size();
      const bool isMoved = !isOfImages || dim + 1 == coordinates.size();
      if (isMoved && begin[ofBlock])
        coordinate = LLVM::AddOp::create(b, coordinate, begin[ofBlock]);
      if (isMoved && place.origin[ofBlock] != 0)
        coordinate = LLVM::AddOp::create(b, coordinate, i32Constant(b, place.origin[ofBlock]));
      copy.coordinates.push_back(coordinate);
    }
    emit(copy);
  }
  return success();
}

static LogicalResult lowerLoad(ttng::AsyncTMACopyGlobalToLocalOp op, Lowering &lowering) {
  if (op.getMulticast() && lowering.numCtas() > 1)
    return op.emitError("a bulk copy to several thread blocks of a cluster (`multicast`) is not "
                        "supported");
  SmallVector<Value> offsets;
  for (Value offset : op.getOffsets())
    offsets.push_back(lowering.scalar(offset));
  return copyBoxes(op, lowering, op.getDesc(), op.getCoord(), op.getResult(), op.getPred(),
                   [&](ptx::BulkCopy copy) {
                     copy.offsets = offsets;
                     ptx::cpAsyncBulkTensorToShared(lowering.b, copy,
                                                    sharedAddress(lowering, op.getBarrier()));
                   });
}

/// What a thread issued since its last group is one group; the others' groups are empty.
static LogicalResult closeGroup(LogicalResult issued, Lowering &lowering) {
  if (succeeded(issued))
    NVVM::CpAsyncBulkCommitGroupOp::create(lowering.b);
  return issued;
}

static LogicalResult lowerStore(ttng::AsyncTMACopyLocalToGlobalOp op, Lowering &lowering) {
  return closeGroup(copyBoxes(op, lowering, op.getDesc(), op.getCoord(), op.getSrc(), {},
                              [&](const ptx::BulkCopy &copy) {
                                ptx::cpAsyncBulkTensorToGlobal(lowering.b, copy);
                              }),
                    lowering);
}

static LogicalResult lowerReduce(ttng::AsyncTMAReduceOp op, Lowering &lowering) {
  // What several blocks have copies of would be added several times.
  if (lowering.numCtas() > 1 &&
      llvm::is_contained(ttg::toLinearLayout(op.getSrc().getType()).columns(Dim::Block),
                         uint64_t(0)))
    return op.emitError("`ttng.async_tma_reduce` of a buffer of which several thread blocks of a "
                        "cluster hold copies is not supported");
  const StringRef kind = tt::stringifyDescriptorReduceKind(op.getKind());
  return closeGroup(copyBoxes(op, lowering, op.getDesc(), op.getCoord(), op.getSrc(), {},
                              [&](const ptx::BulkCopy &copy) {
                                ptx::cpReduceAsyncBulkTensor(lowering.b, copy, kind);
                              }),
                    lowering);
}

static LogicalResult lowerStoreWait(ttng::TMAStoreWaitOp op, Lowering &lowering) {
  Builder &b = lowering.b;
  NVVM::CpAsyncBulkWaitGroupOp::create(b, b.getI32IntegerAttr(op.getPendings()),
                                       op.getReadOnly() ? b.getUnitAttr() : UnitAttr());
  return success();
}

void addBulkCopyLowerings(LoweringTable &table) {
  table.add<ttng::AsyncTMACopyGlobalToLocalOp>(lowerLoad);
  table.add<ttng::AsyncTMACopyLocalToGlobalOp>(lowerStore);
  table.add<ttng::AsyncTMAReduceOp>(lowerReduce);
  table.add<ttng::TMAStoreWaitOp>(lowerStoreWait);
}

} // namespace tilescope::compiler
