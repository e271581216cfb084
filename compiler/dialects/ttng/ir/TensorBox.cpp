// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/dialects/ttng/ir/TensorBox.h"

#include "compiler/dialects/ttg/ir/Dialect.h"
#include "compiler/dialects/ttng/ir/Dialect.h"

using namespace mlir;

namespace tilescope::ttng {

std::optional<TensorBox> tensorBox(Type descriptor) {
  constexpr int64_t kBoxLimit = 256, kPixelLimit = 1024;
  RankedTensorType block = describedBlock(descriptor);
  auto shared = dyn_cast_or_null<ttg::NvmmaSharedEncodingAttr>(block.getEncoding());
  if (!shared || shared.getTransposed() || shared.getFp4Padded())
    return std::nullopt;
  TensorBox box{ttg::getShapePerCta(shared.getCgaLayout(), block.getShape()),
                shared.getSwizzlingByteWidth()};
  const bool isOfImages = isa<TensorDescIm2ColType>(descriptor);
  // Where the next pixels are depends on the images' extents, which only the descriptor knows.
  if (isOfImages && box.extents.front() > kPixelLimit)
    return std::nullopt;
  for (int64_t &extent : MutableArrayRef(box.extents).drop_front(isOfImages))
    extent = std::min(extent, kBoxLimit);
  if (box.swizzleBytes != 0)
    box.extents.back() =
        std::min<int64_t>(box.extents.back(), 8 * box.swizzleBytes / shared.getElementBitWidth());
  return box;
}

/// Triton passes extents and strides of a described argument behind it.
static bool addOfArgument(BlockArgument argument, size_t rank, BulkOperands &operands) {
  Block *entry = argument.getOwner();
  if (!entry->isEntryBlock() || !isa<tt::FuncOp>(entry->getParentOp()))
    return false;
  const auto take = [&](size_t behind, size_t count, unsigned width, SmallVector<Value> &into) {
    for (size_t dim = 0; dim < count; ++dim) {
      const auto at = static_cast<unsigned>(argument.getArgNumber() + 1 + behind + dim);
      if (at >= entry->getNumArguments() || !entry->getArgument(at).getType().isInteger(width))
        return false;
      into.push_back(entry->getArgument(at));
    }
    return true;
  };
  operands.tensor = argument;
  return take(0, rank, 32, operands.extents) && take(rank, rank - 1, 64, operands.strides);
}

/// The only operation that writes the descriptor at `place`; its lists are fastest first.
static bool addOfCreated(Value place, BulkOperands &operands) {
  TensormapCreateOp created;
  for (Operation *user : place.getUsers())
    if (auto create = dyn_cast<TensormapCreateOp>(user)) {
      if (created)
        return false;
      created = create;
    }
  if (!created)
    return false;
  operands.tensor = created.getGlobalAddress();
  operands.hasByteStrides = true;
  llvm::append_range(operands.extents, llvm::reverse(created.getGlobalDim()));
  llvm::append_range(operands.strides, llvm::reverse(created.getGlobalStride()));
  return true;
}

std::optional<BulkOperands> bulkOperands(Operation *op) {
  BulkOperands operands;
  Value descriptor;
  if (auto load = dyn_cast<AsyncTMACopyGlobalToLocalOp>(op)) {
    descriptor = load.getDesc();
    operands.predicate = load.getPred();
    llvm::append_range(operands.offsets, load.getCoord());
  } else if (auto store = dyn_cast<AsyncTMACopyLocalToGlobalOp>(op)) {
    descriptor = store.getDesc();
    llvm::append_range(operands.offsets, store.getCoord());
  } else if (auto reduce = dyn_cast<AsyncTMAReduceOp>(op)) {
    descriptor = reduce.getDesc();
    llvm::append_range(operands.offsets, reduce.getCoord());
  }
  const size_t rank = operands.offsets.size();
  if (!descriptor || rank == 0 || !isa<tt::TensorDescType>(descriptor.getType()))
    return std::nullopt;
  bool isKnown = false;
  if (auto argument = dyn_cast<BlockArgument>(descriptor))
    isKnown = addOfArgument(argument, rank, operands);
  else if (auto reinterpreted = descriptor.getDefiningOp<ReinterpretTensorDescOp>())
    isKnown = addOfCreated(reinterpreted.getRawDesc(), operands);
  if (!isKnown || operands.extents.size() != rank || operands.strides.size() != rank - 1)
    return std::nullopt;
  return operands;
}

} // namespace tilescope::ttng
