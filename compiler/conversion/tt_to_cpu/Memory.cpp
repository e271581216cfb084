// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Loads and stores. Lanes that are neighbors in memory move together; others one by one.
#include "compiler/conversion/tt_to_cpu/Lowering.h"
#include "compiler/conversion/tt_to_cpu/Vectors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace tilescope::cpu {

namespace {
/// An access to memory by lanes or by one element.
struct Access {
  OpBuilder &b;
  Location loc;
  Type element;
  /// 0: one element.
  int64_t lanes = 0;

  unsigned alignment() const { return static_cast<unsigned>(memoryBytesOf(element)); }
  IntegerAttr alignmentAttr() const { return b.getI32IntegerAttr(alignment()); }
  Type memoryType() const {
    Type memory = memoryTypeOf(element);
    return lanes ? Type(VectorType::get({lanes}, memory)) : memory;
  }
  Value fromMemory(Value value) const { return cpu::fromMemory(b, loc, value, element); }
  Value toMemory(Value value) const { return cpu::toMemory(b, loc, splat(b, loc, value, lanes)); }
  Value zero() const {
    Type type = memoryType();
    if (isa<LLVM::LLVMPointerType>(memoryTypeOf(element)))
      return LLVM::ZeroOp::create(b, loc, type);
    return arith::ConstantOp::create(b, loc, cast<TypedAttr>(b.getZeroAttr(type)));
  }
};
} // namespace

/// What is not loaded is `other`, or zero.
static Value loadElement(const Access &a, Value pointer, Value mask, Value other) {
  auto load = [&]() -> Value {
    return LLVM::LoadOp::create(a.b, a.loc, a.memoryType(), pointer, a.alignment());
  };
  if (!mask)
    return load();
  auto branch = scf::IfOp::create(
      a.b, a.loc, mask, [&](OpBuilder &b, Location loc) { scf::YieldOp::create(b, loc, load()); },
      [&](OpBuilder &b, Location loc) { scf::YieldOp::create(b, loc, other); });
  return branch.getResult(0);
}

static Value loadNeighbors(const Access &a, Value pointer, Value mask, Value other) {
  if (!mask)
    return LLVM::LoadOp::create(a.b, a.loc, a.memoryType(), pointer, a.alignment());
  return LLVM::MaskedLoadOp::create(a.b, a.loc, a.memoryType(), pointer, mask, other,
                                    a.alignmentAttr(), /*nontemporal=*/UnitAttr());
}

static Value gather(const Access &a, Value pointers, Value mask, Value other) {
  return LLVM::masked_gather::create(a.b, a.loc, a.memoryType(), pointers,
                                     mask ? mask : allLanes(a.b, a.loc, a.lanes), ValueRange{other},
                                     a.alignmentAttr());
}

static void storeElement(const Access &a, Value pointer, Value value, Value mask) {
  auto store = [&] { LLVM::StoreOp::create(a.b, a.loc, value, pointer, a.alignment()); };
  if (!mask)
    return store();
  scf::IfOp::create(a.b, a.loc, mask, [&](OpBuilder &b, Location loc) {
    store();
    scf::YieldOp::create(b, loc);
  });
}

bool KernelLowering::isContiguous(Value pointers, const Place &place) const {
  const compiler::AxisInfo *axis = m_axes.find(pointers);
  return axis && place.laneDim >= 0 && axis->contiguity[place.laneDim] >= m_nest->lanes().count;
}

Value KernelLowering::computeLoad(tt::LoadOp load, const Place &place) {
  Value mask = load.getMask() ? at(load.getMask(), place) : Value();
  Value other = load.getOther() ? at(load.getOther(), place) : Value();
  Access a{m_builder, load.getLoc(), elementTypeOf(load.getType())};
  const bool isRun = isContiguous(load.getPtr(), place);
  Value pointer = at(load.getPtr(), isRun ? place.firstLane() : place);
  auto hasLanes = [](Value tile) { return tile && lanesOf(tile) > 0; };
  if (isRun || hasLanes(pointer) || hasLanes(mask) || hasLanes(other))
    a.lanes = m_nest->lanes().count;
  other = other ? a.toMemory(other) : a.zero();
  if (a.lanes == 0)
    return a.fromMemory(loadElement(a, pointer, mask, other));
  mask = mask ? splat(m_builder, a.loc, mask, a.lanes) : mask;
  if (isRun)
    return a.fromMemory(loadNeighbors(a, pointer, mask, other));
  return a.fromMemory(gather(a, splat(m_builder, a.loc, pointer, a.lanes), mask, other));
}

void KernelLowering::lowerScalarLoad(tt::LoadOp load) {
  const Access a{m_builder, load.getLoc(), elementTypeOf(load.getType())};
  Value mask = load.getMask() ? scalar(load.getMask()) : Value();
  Value other = load.getOther() ? a.toMemory(scalar(load.getOther())) : a.zero();
  m_scalars.map(load.getResult(), a.fromMemory(loadElement(a, scalar(load.getPtr()), mask, other)));
}

void KernelLowering::storeTile(tt::StoreOp store, const Place &place) {
  Access a{m_builder, store.getLoc(), elementTypeOf(store.getValue().getType())};
  Value value = at(store.getValue(), place);
  Value mask = store.getMask() ? at(store.getMask(), place) : Value();
  const bool isRun = isContiguous(store.getPtr(), place);
  Value pointer = at(store.getPtr(), isRun ? place.firstLane() : place);
  if (place.laneDim < 0)
    return storeElement(a, pointer, a.toMemory(value), mask);
  a.lanes = m_nest->lanes().count;
  value = a.toMemory(value);
  if (mask)
    mask = splat(m_builder, a.loc, mask, a.lanes);
  if (!isRun)
    LLVM::masked_scatter::create(m_builder, a.loc, value, splat(m_builder, a.loc, pointer, a.lanes),
                                 mask ? mask : allLanes(m_builder, a.loc, a.lanes),
                                 a.alignmentAttr());
  else if (mask)
    LLVM::MaskedStoreOp::create(m_builder, a.loc, value, pointer, mask, a.alignmentAttr());
  else
    LLVM::StoreOp::create(m_builder, a.loc, value, pointer, a.alignment());
}

void KernelLowering::lowerStore(tt::StoreOp store) {
  auto type = dyn_cast<RankedTensorType>(store.getPtr().getType());
  if (!type) {
    const Access a{m_builder, store.getLoc(), elementTypeOf(store.getValue().getType())};
    return storeElement(a, scalar(store.getPtr()), a.toMemory(scalar(store.getValue())),
                        store.getMask() ? scalar(store.getMask()) : Value());
  }
  // Of pointers, only those of first lanes may be needed.
  prepare({store.getPtr()}, /*canKeep=*/false);
  SmallVector<Value> needed{store.getValue()};
  if (store.getMask())
    needed.push_back(store.getMask());
  forEachTile(type.getShape(), chooseLanes({store.getPtr(), store.getValue()}), needed,
              [&] { storeTile(store, m_nest->place()); });
}

} // namespace tilescope::cpu
