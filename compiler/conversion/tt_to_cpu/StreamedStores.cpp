// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/tt_to_cpu/StreamedStores.h"

#include "compiler/conversion/tt_to_cpu/Vectors.h"
#include "compiler/transforms/ttg/PointerOrigins.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;

namespace tilescope::cpu {

/// A loop that stores to the same place again and again would send each of its results to memory.
static bool staysInLoop(tt::StoreOp store) {
  auto loop = store->getParentOfType<LoopLikeOpInterface>();
  return loop && loop.isDefinedOutsideOfLoop(store.getPtr());
}

llvm::DenseSet<Operation *> streamedStores(tt::FuncOp kernel) {
  SmallVector<tt::StoreOp> stores;
  llvm::DenseSet<Value> read;
  bool isOrdered = false;
  kernel.walk([&](Operation *op) {
    if (auto store = dyn_cast<tt::StoreOp>(op))
      stores.push_back(store);
    if (auto load = dyn_cast<tt::LoadOp>(op)) {
      const llvm::DenseSet<Value> origins = ttg::originsOf(load.getPtr());
      read.insert(origins.begin(), origins.end());
      isOrdered |= load.getIsVolatile();
    }
    isOrdered |= isa<tt::AtomicRMWOp, tt::AtomicCASOp, tt::AtomicPollOp>(op);
  });
  const auto isForeign = [](Value origin) {
    return ttg::isUnknownOrigin(origin) || !isa<BlockArgument>(origin);
  };
  if (isOrdered || llvm::any_of(read, isForeign))
    return {};
  llvm::DenseSet<Operation *> streamed;
  for (tt::StoreOp store : stores)
    if (!staysInLoop(store) && llvm::none_of(ttg::originsOf(store.getPtr()), [&](Value origin) {
          return isForeign(origin) || read.contains(origin);
        }))
      streamed.insert(store);
  return streamed;
}

Value emitFillsLines(OpBuilder &b, Location loc, Value pointer, Value mask) {
  Value address = LLVM::PtrToIntOp::create(b, loc, b.getI64Type(), pointer);
  Value behind =
      arith::AndIOp::create(b, loc, address, integerLike(b, loc, address, kStreamedBytes - 1));
  Value begins = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, behind,
                                       integerLike(b, loc, address, 0));
  if (!mask)
    return begins;
  Value isWhole = vector::ReductionOp::create(b, loc, vector::CombiningKind::AND, mask);
  return arith::AndIOp::create(b, loc, begins, isWhole);
}

} // namespace tilescope::cpu
