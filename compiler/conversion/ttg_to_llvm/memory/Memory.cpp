// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Loads from and stores to global memory: the widest accesses that alignment, contiguity and the
// mask allow, each predicated by itself, so that what is masked off touches no memory.
#include "compiler/conversion/ttg_to_llvm/common/Families.h"
#include "compiler/conversion/ttg_to_llvm/memory/AccessWords.h"
#include "compiler/conversion/ttg_to_llvm/ptx/InlinePtx.h"

using namespace mlir;

namespace tilescope::compiler {

/// How an access with these hints uses the caches.
static ptx::Caching cachingOf(Lowering &lowering, tt::CacheModifier cache,
                              tt::EvictionPolicy eviction) {
  ptx::Caching caching;
  caching.cache = cache;
  caching.eviction = eviction;
  if (eviction != tt::EvictionPolicy::NORMAL && lowering.capability() >= 80)
    caching.policy = ptx::createpolicy(lowering.b, eviction);
  return caching;
}

static LogicalResult lowerLoad(tt::LoadOp op, Lowering &lowering) {
  Builder &b = lowering.b;
  if (tt::isTensorPointerType(op.getPtr().getType()))
    return op.emitError("block pointers are rewritten before lowering");
  const Values &pointers = lowering.values(op.getPtr());
  Type element = storageType(lowering.elementType(op.getType()));
  auto words =
      AccessWords::of(accessWidth(lowering, op.getPtr(), op.getMask()), storageBytes(element) * 8);
  ptx::Caching caching;
  caching.isVolatile = op.getIsVolatile();
  if (!caching.isVolatile)
    caching = cachingOf(lowering, op.getCache(), op.getEvict());
  Values loaded;
  for (size_t first = 0; first < pointers.size(); first += words.elements) {
    Value mask;
    SmallVector<Value> others;
    if (op.getMask()) {
      mask = lowering.values(op.getMask())[first];
      if (op.getOther())
        for (int i = 0; i < words.elements; ++i)
          others.push_back(lowering.values(op.getOther())[first + i]);
      if (llvm::all_of(others, isZero)) {
        others.clear();
      } else {
        for (Value &other : others)
          other = toStorage(b, other);
        others = words.pack(b, others);
      }
    }
    Value all = ptx::ld(b, mask, pointers[first], words, others, caching, words.resultType(b));
    SmallVector<Value> loadedWords = words.results(b, all);
    for (Value value : words.unpack(b, loadedWords, element))
      loaded.push_back(fromStorage(b, value, lowering.elementType(op.getType())));
  }
  lowering.set(op, std::move(loaded));
  return success();
}

static Value both(Builder &b, Value x, Value y) {
  return !x ? y : !y ? x : LLVM::AndOp::create(b, x, y).getResult();
}

static Value isThreadZero(Lowering &lowering) {
  Builder &b = lowering.b;
  return LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::eq, lowering.threadId(), i32Constant(b, 0));
}

Value executesOnce(Lowering &lowering, Type type) {
  if (isa_and_nonnull<RankedTensorType>(type))
    return lowering.holdsOriginal(lowering.layout(type));
  Value isFirst = isThreadZero(lowering);
  if (lowering.numCtas() == 1)
    return isFirst;
  Builder &b = lowering.b;
  Value inFirst =
      LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::eq, lowering.blockRank(), i32Constant(b, 0));
  return LLVM::AndOp::create(b, isFirst, inFirst);
}

static LogicalResult lowerStore(tt::StoreOp op, Lowering &lowering) {
  Builder &b = lowering.b;
  if (tt::isTensorPointerType(op.getPtr().getType()))
    return op.emitError("block pointers are rewritten before lowering");
  const Values &pointers = lowering.values(op.getPtr());
  const Values &values = lowering.values(op.getValue());
  Type element = storageType(lowering.elementType(op.getValue().getType()));
  auto words =
      AccessWords::of(accessWidth(lowering, op.getPtr(), op.getMask()), storageBytes(element) * 8);
  // Each block of a cluster sees the scalar that it stores, so that its own loads find it.
  Type type = op.getPtr().getType();
  Value once = isa<RankedTensorType>(type) ? executesOnce(lowering, type) : isThreadZero(lowering);
  const ptx::Caching caching = cachingOf(lowering, op.getCache(), op.getEvict());
  for (size_t first = 0; first < pointers.size(); first += words.elements) {
    SmallVector<Value> parts;
    for (int i = 0; i < words.elements; ++i)
      parts.push_back(toStorage(b, values[first + i]));
    Value predicate = both(b, op.getMask() ? lowering.values(op.getMask())[first] : Value(), once);
    ptx::st(b, predicate, pointers[first], words, words.pack(b, parts), caching);
  }
  return success();
}

void addMemoryLowerings(LoweringTable &table) {
  table.add<tt::LoadOp>(lowerLoad);
  table.add<tt::StoreOp>(lowerStore);
}

} // namespace tilescope::compiler
