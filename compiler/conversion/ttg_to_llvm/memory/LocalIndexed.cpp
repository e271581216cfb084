// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Accesses to shared memory at coordinates that are data.
#include "compiler/conversion/ttg_to_llvm/common/Families.h"
#include "compiler/conversion/ttg_to_llvm/memory/Atomics.h"
#include "compiler/conversion/ttg_to_llvm/memory/Buffers.h"
#include "compiler/dialects/ttg/ir/Dialect.h"

using namespace mlir;

namespace tilescope::compiler {

/// An index of any width, none of which is negative.
static Value asWord(Builder &b, Value index) {
  const unsigned bits = index.getType().getIntOrFloatBitWidth();
  if (bits > 32)
    return LLVM::TruncOp::create(b, b.getI32Type(), index);
  return bits < 32 ? LLVM::ZExtOp::create(b, b.getI32Type(), index).getResult() : index;
}

/// The address of the element that each register's index picks.
static Values pickedAddresses(Lowering &lowering, Value buffer, Value indices, unsigned axis) {
  Builder &b = lowering.b;
  auto type = cast<ttg::MemDescType>(buffer.getType());
  const SharedRegion region = regionOf(lowering, buffer);
  const int bytes = storageBytes(lowering.elementType(type.getElementType()));
  const LinearLayout &layout = lowering.layout(indices.getType());
  SmallVector<Values> coordinates;
  for (int dim = 0; dim < type.getRank(); ++dim)
    coordinates.push_back(dim == int(axis) ? Values()
                                           : lowering.coordinates(layout, tensorDim(dim)));
  Values addresses;
  for (auto [index, picked] : llvm::enumerate(lowering.values(indices))) {
    SmallVector<Value> place;
    for (int dim = 0; dim < type.getRank(); ++dim)
      place.push_back(dim == int(axis) ? asWord(b, picked) : coordinates[dim][index]);
    addresses.push_back(elementAddress(b, region, place, bytes));
  }
  return addresses;
}

static LogicalResult lowerGather(ttg::LocalGatherOp op, Lowering &lowering) {
  if (failed(verifyWhole(op, op.getSrc().getType())))
    return failure();
  Builder &b = lowering.b;
  Type element = lowering.elementType(op.getType()), storage = storageType(element);
  Values results;
  for (Value address : pickedAddresses(lowering, op.getSrc(), op.getIndices(), op.getAxis()))
    results.push_back(fromStorage(b, LLVM::LoadOp::create(b, storage, address), element));
  lowering.set(op, std::move(results));
  return success();
}

static LogicalResult lowerScatter(ttg::LocalScatterOp op, Lowering &lowering) {
  if (failed(verifyParts(op, op.getValues().getType(), op.getDst().getType())) ||
      failed(verifyWhole(op, op.getDst().getType())))
    return failure();
  Builder &b = lowering.b;
  const Values addresses = pickedAddresses(lowering, op.getDst(), op.getIndices(), op.getAxis());
  const auto store = [&] {
    for (auto [address, value] : llvm::zip(addresses, lowering.values(op.getValues())))
      LLVM::StoreOp::create(b, toStorage(b, value), address);
  };
  if (Value once = lowering.holdsOriginalInBlock(lowering.layout(op.getValues().getType())))
    lowering.emitIf(once, store);
  else
    store();
  return success();
}

static LogicalResult lowerAtomic(ttg::LocalAtomicScatterRMWOp op, Lowering &lowering) {
  if (lowering.numCtas() > 1)
    return op.emitError("`") << op->getName() << "` in a cluster of thread blocks is not supported";
  Builder &b = lowering.b;
  Value once = executesOnce(lowering, op.getValues().getType());
  const Values addresses = pickedAddresses(lowering, op.getDst(), op.getIndices(), op.getAxis());
  Values results;
  for (auto [index, value] : llvm::enumerate(lowering.values(op.getValues()))) {
    Value predicate = op.getMask() ? lowering.values(op.getMask())[index] : once;
    if (op.getMask() && once)
      predicate = LLVM::AndOp::create(b, predicate, once);
    Value before = emitAtomicUpdate(b, op.getAtomicRmwOp(), "block", predicate, addresses[index],
                                    toStorage(b, value));
    results.push_back(fromStorage(b, before, value.getType()));
  }
  return shareResults(op, once, results, lowering);
}

void addLocalIndexedLowerings(LoweringTable &table) {
  table.add<ttg::LocalGatherOp>(lowerGather);
  table.add<ttg::LocalScatterOp>(lowerScatter);
  table.add<ttg::LocalAtomicScatterRMWOp>(lowerAtomic);
}

} // namespace tilescope::compiler
