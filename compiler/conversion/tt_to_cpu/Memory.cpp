// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Loads and stores. Lanes that are neighbors in memory move together; others one by one.
#include "compiler/conversion/tt_to_cpu/Lowering.h"
#include "compiler/conversion/tt_to_cpu/MaskedRuns.h"
#include "compiler/conversion/tt_to_cpu/Runs.h"
#include "compiler/conversion/tt_to_cpu/StreamedStores.h"
#include "compiler/conversion/tt_to_cpu/Vectors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace tilescope::cpu {

namespace {
/// An access to memory by lanes or by one element.
struct Access {
  OpBuilder &b;
  Location loc;
  Type element;
  /// Memory of a page that is there, for runs of which no lane is wanted.
  Value present;
  unsigned registerBytes;
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

/// What a mask asks of all lanes alike: `row < M` of `(row < M) & (column < N)`, where lanes go along the columns. May be
/// null.
static Value commonCondition(const Access &a, Value mask) {
  if (auto splat = mask.getDefiningOp<vector::BroadcastOp>())
    return splat.getSource().getType().isInteger(1) ? splat.getSource() : Value();
  auto both = mask.getDefiningOp<arith::AndIOp>();
  if (!both)
    return {};
  Value left = commonCondition(a, both.getLhs()), right = commonCondition(a, both.getRhs());
  return left && right ? arith::AndIOp::create(a.b, a.loc, left, right) : left ? left : right;
}

/// Masked-off lanes touch nothing, yet on a page that is not there, or was never written, finding that out takes a
/// processor about 130 ns: as long as 500 loads. Rows of a tile behind the last one of a matrix lie on such pages, so
/// they are taken from elsewhere.
static Value presentRun(const Access &a, Value pointer, Value mask) {
  Value isWanted = commonCondition(a, mask);
  return isWanted ? arith::SelectOp::create(a.b, a.loc, isWanted, pointer, a.present) : pointer;
}

static Value loadNeighbors(const Access &a, Value pointer, Value mask, Value other) {
  if (!mask)
    return LLVM::LoadOp::create(a.b, a.loc, a.memoryType(), pointer, a.alignment());
  return loadMaskedRun(a.b, a.loc, a.memoryType(), presentRun(a, pointer, mask), mask, other,
                       a.alignment(), a.registerBytes);
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

static void storeNeighbors(const Access &a, Value pointer, Value value, Value mask) {
  if (mask)
    storeMaskedRun(a.b, a.loc, value, presentRun(a, pointer, mask), mask, a.alignment(),
                   a.registerBytes);
  else
    LLVM::StoreOp::create(a.b, a.loc, value, pointer, a.alignment());
}

static void scatter(const Access &a, Value pointers, Value value, Value mask) {
  LLVM::masked_scatter::create(a.b, a.loc, value, pointers,
                               mask ? mask : allLanes(a.b, a.loc, a.lanes), a.alignmentAttr());
}

/// An access to neighbors: `whole` where that is known of all, `each` where it is to be looked at each
/// lane. Returns what they yield, if anything.
static Value ifWhole(const Access &a, Value isWhole, Type result, llvm::function_ref<Value()> whole,
                     llvm::function_ref<Value()> each) {
  auto branch = scf::IfOp::create(a.b, a.loc, result ? TypeRange(result) : TypeRange(), isWhole,
                                  /*addThenBlock=*/true, /*addElseBlock=*/true);
  for (auto [block, emit] : {std::pair(branch.thenBlock(), whole), {branch.elseBlock(), each}}) {
    a.b.setInsertionPointToStart(block);
    Value value = emit();
    scf::YieldOp::create(a.b, a.loc, value ? ValueRange(value) : ValueRange());
  }
  a.b.setInsertionPointAfter(branch);
  return result ? branch.getResult(0) : Value();
}

/// An access to neighbors whose bounds are checked, with the mask of those that are wanted and inside: `mask`, which may
/// be null, where all are inside, else what `inside` makes of it. Where lanes may be masked off anyway, it is emitted
/// once.
static Value accessInside(const Access &a, Value areInside, Value mask, Type result,
                          llvm::function_ref<Value(Value)> inside,
                          llvm::function_ref<Value(Value)> access) {
  if (mask)
    return access(
        ifWhole(a, areInside, mask.getType(), [&] { return mask; }, [&] { return inside(mask); }));
  return ifWhole(
      a, areInside, result, [&] { return access({}); },
      [&] { return access(inside(allLanes(a.b, a.loc, a.lanes))); });
}

/// Past the caches where whole lines are stored (StreamedStores.h).
static void streamNeighbors(const Access &a, Value pointer, Value value, Value mask) {
  ifWhole(
      a, emitFillsLines(a.b, a.loc, pointer, mask), Type(),
      [&] {
        LLVM::StoreOp::create(a.b, a.loc, value, pointer, unsigned(kStreamedBytes),
                              /*isVolatile=*/false,
                              /*isNonTemporal=*/true);
        return Value();
      },
      [&] {
        storeNeighbors(a, pointer, value, mask);
        return Value();
      });
}

bool KernelLowering::isContiguous(Value pointers, const Place &place) const {
  const compiler::AxisInfo *axis = m_axes.find(pointers);
  return axis && place.laneDim >= 0 && axis->contiguity[place.laneDim] >= m_nest->lanes().count;
}

Value KernelLowering::areNeighbors(Value pointers, const Place &place, Value tile, Value mask,
                                   int64_t bytes) {
  if (!mayBeRun(pointers))
    return {};
  auto add = pointers.getDefiningOp<tt::AddPtrOp>();
  if (add && lanesOf(at(add.getPtr(), place)) == 0) {
    Value index = at(add.getOffset(), place);
    return lanesOf(index) ? emitIsRun(m_builder, m_loc, index, 1, mask) : Value();
  }
  Value addresses =
      LLVM::PtrToIntOp::create(m_builder, m_loc, typeLike(tile, m_builder.getI64Type()), tile);
  return emitIsRun(m_builder, m_loc, addresses, bytes, mask);
}

/// Of a tile of pointers.
static Value firstOf(const Access &a, Value pointers) {
  return vector::ExtractOp::create(a.b, a.loc, pointers, 0);
}

Value KernelLowering::maskAt(Value mask, const Place &place) {
  Value tile = mask ? at(mask, place) : Value();
  return tile && isTrue(tile) ? Value() : tile;
}

Value KernelLowering::computeLoad(tt::LoadOp load, const Place &place) {
  Value mask = maskAt(load.getMask(), place);
  Value other = load.getOther() ? at(load.getOther(), place) : Value();
  Access a{m_builder, load.getLoc(), elementTypeOf(load.getType()), m_launch,
           m_options.vectorBytes};
  const bool isRun = isContiguous(load.getPtr(), place);
  Value pointer = at(load.getPtr(), isRun ? place.firstLane() : place);
  auto hasLanes = [](Value tile) { return tile && lanesOf(tile) > 0; };
  if (isRun || hasLanes(pointer) || hasLanes(mask) || hasLanes(other))
    a.lanes = m_nest->lanes().count;
  other = other ? a.toMemory(other) : a.zero();
  noteLeftOut(load, mask);
  mask = mask ? splat(m_builder, a.loc, mask, a.lanes) : mask;
  if (a.lanes != 0 && !isRun)
    pointer = splat(m_builder, a.loc, pointer, a.lanes);
  CheckedTarget target;
  if (m_options.checkBounds) {
    target = targetOf(load.getPtr(), pointer);
    pointer = target.pointer;
  }
  if (m_options.checkBounds && isRun) {
    const int64_t bytes = memoryBytesOf(a.element);
    if (mask)
      pointer = presentRun(a, pointer, mask);
    fetchForNext(load, place, a.lanes * bytes, target.area.distance);
    return a.fromMemory(accessInside(
        a, isInside(target, a.lanes * bytes), mask, a.memoryType(),
        [&](Value wanted) { return insideOfRun(load, target, wanted); },
        [&](Value wanted) {
          noteRead(target, wanted, bytes, a.lanes);
          return loadNeighbors(a, pointer, wanted, other);
        }));
  }
  if (m_options.checkBounds) {
    // One element for all lanes.
    const int64_t times = a.lanes == 0 && place.laneDim >= 0 ? m_nest->lanes().count : 1;
    mask = checkElements(load, target, mask, memoryBytesOf(a.element), times);
    noteRead(target, mask, memoryBytesOf(a.element), 0);
  }
  if (a.lanes == 0)
    return a.fromMemory(loadElement(a, pointer, mask, other));
  if (isRun) {
    fetchForNext(load, place, a.lanes * memoryBytesOf(a.element), {});
    return a.fromMemory(loadNeighbors(a, pointer, mask, other));
  }
  const auto gatherAll = [&] { return gather(a, pointer, mask, other); };
  Value areRun = areNeighbors(load.getPtr(), place, pointer, mask, memoryBytesOf(a.element));
  if (!areRun)
    return a.fromMemory(gatherAll());
  return a.fromMemory(ifWhole(
      a, areRun, a.memoryType(), [&] { return loadNeighbors(a, firstOf(a, pointer), mask, other); },
      gatherAll));
}

void KernelLowering::lowerScalarLoad(tt::LoadOp load) {
  const Access a{m_builder, load.getLoc(), elementTypeOf(load.getType()), m_launch,
                 m_options.vectorBytes};
  Value mask = load.getMask() ? scalar(load.getMask()) : Value();
  Value other = load.getOther() ? a.toMemory(scalar(load.getOther())) : a.zero();
  Value pointer = scalar(load.getPtr());
  noteLeftOut(load, mask);
  if (m_options.checkBounds) {
    const auto [target, inside] = checkScalar(load, pointer, mask);
    pointer = target.pointer;
    mask = inside;
    noteRead(target, mask, memoryBytesOf(a.element), 0);
  }
  m_scalars.map(load.getResult(), a.fromMemory(loadElement(a, pointer, mask, other)));
}

void KernelLowering::storeTile(tt::StoreOp store, const Place &place) {
  Access a{m_builder, store.getLoc(), elementTypeOf(store.getValue().getType()), m_launch,
           m_options.vectorBytes};
  Value value = at(store.getValue(), place);
  Value mask = maskAt(store.getMask(), place);
  const bool isRun = isContiguous(store.getPtr(), place);
  Value pointer = at(store.getPtr(), isRun ? place.firstLane() : place);
  a.lanes = place.laneDim < 0 ? 0 : m_nest->lanes().count;
  value = a.toMemory(value);
  if (mask)
    mask = splat(m_builder, a.loc, mask, a.lanes);
  if (!isRun)
    pointer = splat(m_builder, a.loc, pointer, a.lanes);
  CheckedTarget target;
  if (m_options.checkBounds) {
    target = targetOf(store.getPtr(), pointer);
    pointer = target.pointer;
  }
  const int64_t bytes = memoryBytesOf(a.element);
  const bool fillsLines = isRun && a.lanes * bytes % kStreamedBytes == 0;
  auto *const storeRun =
      fillsLines && m_streamedStores.contains(store) ? &streamNeighbors : &storeNeighbors;
  if (m_options.checkBounds && isRun) {
    if (mask)
      pointer = presentRun(a, pointer, mask);
    fetchMarks(store, place, target, a.lanes);
    accessInside(
        a, isInside(target, a.lanes * bytes), mask, Type(),
        [&](Value wanted) { return insideOfRun(store, target, wanted); },
        [&](Value wanted) {
          Value marks = checkRun(target, value, wanted);
          storeRun(a, pointer, value, wanted);
          markRun(marks, a.lanes, wanted);
          return Value();
        });
    return;
  }
  if (m_options.checkBounds) {
    mask = checkElements(store, target, mask, bytes);
    checkStored(target, value, mask);
  }
  if (a.lanes == 0)
    return storeElement(a, pointer, value, mask);
  if (isRun)
    return storeRun(a, pointer, value, mask);
  Value areRun = areNeighbors(store.getPtr(), place, pointer, mask, bytes);
  if (!areRun)
    return scatter(a, pointer, value, mask);
  ifWhole(
      a, areRun, Type(),
      [&] {
        storeNeighbors(a, firstOf(a, pointer), value, mask);
        return Value();
      },
      [&] {
        scatter(a, pointer, value, mask);
        return Value();
      });
}

/// Whether its block is to lie in a cache before it is stored past them. Of one that is turned, squares would send single
/// lines of many rows to memory, which takes lines that follow each other faster.
bool KernelLowering::isStoredInRows(tt::StoreOp store, const Lanes &lanes) const {
  // Of the first two caches.
  constexpr int64_t kMostBytes = int64_t(256) << 10;
  Value value = store.getValue();
  auto type = cast<RankedTensorType>(value.getType());
  const int64_t bytes = type.getNumElements() * memoryBytesOf(elementTypeOf(type));
  return m_streamedStores.contains(store) && !m_buffers.contains(value) &&
         !m_pending.contains(value) && lanes.dim == type.getRank() - 1 && bytes <= kMostBytes &&
         patchesFor(type.getShape(), lanes, {value});
}

void KernelLowering::lowerStore(tt::StoreOp store) {
  if (m_options.noteDoubts)
    beginStore();
  auto type = dyn_cast<RankedTensorType>(store.getPtr().getType());
  if (!type) {
    const Access a{m_builder, store.getLoc(), elementTypeOf(store.getValue().getType()), m_launch,
                   m_options.vectorBytes};
    Value pointer = scalar(store.getPtr());
    Value mask = store.getMask() ? scalar(store.getMask()) : Value();
    Value value = a.toMemory(scalar(store.getValue()));
    if (m_options.checkBounds) {
      const auto [target, inside] = checkScalar(store, pointer, mask);
      pointer = target.pointer;
      mask = inside;
      checkStored(target, value, mask);
    }
    return storeElement(a, pointer, value, mask);
  }
  // Of pointers, only those of first lanes may be needed.
  prepare({store.getPtr()}, /*canKeep=*/false);
  SmallVector<Value> needed{store.getValue()};
  if (store.getMask())
    needed.push_back(store.getMask());
  const Lanes lanes = chooseLanes({store.getPtr(), store.getValue()});
  Value value = store.getValue();
  const bool isInRows = isStoredInRows(store, lanes);
  if (isInRows) {
    const Buffer rows = allocate(cast<RankedTensorType>(value.getType()));
    forEachTile(type.getShape(), lanes, {value},
                [&] { writeBuffer(rows, m_nest->place(), at(value, m_nest->place())); });
    m_buffers[value] = rows;
  }
  forEachTile(type.getShape(), lanes, needed, [&] { storeTile(store, m_nest->place()); });
  // Another store may be executed where this one is not.
  if (isInRows)
    m_buffers.erase(value);
}

} // namespace tilescope::cpu
