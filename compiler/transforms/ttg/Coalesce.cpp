// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Lays blocks of pointers out so that neighboring threads touch neighboring memory, in accesses
// as wide as alignment allows:
//
//   tt.load %p : #default              %q = convert %p : #default -> #coalesced
//                                      %v = tt.load %q : #coalesced
//                                      %w = convert %v : #coalesced -> #default
#include "compiler/analysis/AxisInfo.h"
#include "compiler/dialects/ttg/ir/LayoutBridge.h"
#include "compiler/transforms/ttg/DataFlowGroups.h"
#include "compiler/transforms/ttg/LayoutTransfer.h"
#include "compiler/transforms/ttg/Passes.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace tilescope::ttg {

#define GEN_PASS_DEF_COALESCE
#include "compiler/transforms/ttg/Passes.h.inc"

namespace {

/// An access through a block of pointers, with its dimensions sorted by contiguity.
struct Access {
  Operation *op;
  RankedTensorType pointers;
  SmallVector<unsigned> order;
  /// Most elements a thread can move at once.
  int64_t width;
};

struct Coalesce : impl::CoalesceBase<Coalesce> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    compiler::AxisInfoMap infos(module);
    SmallVector<Access> accesses;
    module.walk([&](Operation *op) {
      if (isa<tt::LoadOp, tt::StoreOp, tt::AtomicRMWOp, tt::AtomicCASOp>(op))
        if (auto type = dyn_cast<RankedTensorType>(op->getOperand(0).getType()))
          accesses.push_back(describe(op, type, infos));
    });
    if (accesses.empty())
      return;
    const DataFlowGroups groups(module);
    SmallVector<BlockedEncodingAttr> encodings;
    for (const Access &access : accesses)
      encodings.push_back(choose(access, accesses, groups));
    for (auto [access, encoding] : llvm::zip(accesses, encodings))
      rewrite(access.op, encoding);
  }

private:
  Access describe(Operation *op, RankedTensorType type, const compiler::AxisInfoMap &infos) {
    Value pointers = op->getOperand(0);
    SmallVector<unsigned> order;
    for (unsigned d = type.getRank(); d-- > 0;)
      order.push_back(d);
    const compiler::AxisInfo *info = infos.find(pointers);
    // Of equally contiguous dimensions the later one is faster.
    if (info)
      llvm::sort(order, [&](unsigned x, unsigned y) {
        return std::pair(info->contiguity[x], x) > std::pair(info->contiguity[y], y);
      });
    unsigned bits = tt::getElementBitWidth(tt::getPointeeType(type));
    int64_t extent = shapePerBlock(type)[order.front()];
    int64_t width = std::min(infos.alignedContiguity(pointers, order.front(), bits), extent);
    return {op, type, order, std::max<int64_t>(1, std::min<int64_t>(width, 128 / bits))};
  }

  BlockedEncodingAttr choose(const Access &access, ArrayRef<Access> all,
                             const DataFlowGroups &groups) {
    ModuleOp module = getOperation();
    // Accesses of one shape and order that exchange data share a layout: the widest decides.
    int64_t perThread = access.width;
    for (const Access &other : all)
      if (other.pointers.getShape() == access.pointers.getShape() && other.order == access.order &&
          groups.areJoined(access.op, other.op))
        perThread = std::max(perThread, other.width);
    SmallVector<int64_t> shape = shapePerBlock(access.pointers);
    int64_t threads = int64_t(numWarps(module)) * threadsPerWarp(module);
    perThread =
        std::min(perThread, std::max<int64_t>(1, ShapedType::getNumElements(shape) / threads));
    // Stores wider than one instruction would leave gaps between the threads of a warp; loads find
    // the rest in the cache.
    if (!isa<tt::LoadOp>(access.op))
      perThread = std::min(perThread, access.width);
    SmallVector<unsigned> sizePerThread(shape.size(), 1);
    sizePerThread[access.order.front()] = perThread;
    compiler::BlockedParameters blocked = compiler::defaultBlocked(
        shape, sizePerThread, access.order, numWarps(module), threadsPerWarp(module));
    return BlockedEncodingAttr::get(&getContext(), blocked.sizePerThread, blocked.threadsPerWarp,
                                    blocked.warpsPerBlock, blocked.order,
                                    getCgaLayout(access.pointers.getEncoding()));
  }

  void rewrite(Operation *op, BlockedEncodingAttr encoding) {
    OpBuilder builder(op);
    for (OpOperand &operand : op->getOpOperands()) {
      Attribute old = encodingOf(operand.get().getType());
      if (!old || old == encoding)
        continue;
      operand.set(ConvertLayoutOp::create(
          builder, op->getLoc(), withEncoding(operand.get().getType(), encoding), operand.get()));
    }
    builder.setInsertionPointAfter(op);
    for (OpResult result : op->getResults()) {
      Type type = result.getType();
      if (encodingOf(type) == encoding)
        continue;
      result.setType(withEncoding(type, encoding));
      auto convert = ConvertLayoutOp::create(builder, op->getLoc(), type, result);
      result.replaceAllUsesExcept(convert.getResult(), convert);
    }
  }
};
} // namespace
} // namespace tilescope::ttg
