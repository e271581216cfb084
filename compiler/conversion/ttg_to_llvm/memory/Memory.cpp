// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Loads from and stores to global memory: the widest accesses that alignment, contiguity and the
// mask allow, each predicated by itself, so that what is masked off touches no memory.
#include "compiler/conversion/ttg_to_llvm/common/AsmText.h"
#include "compiler/conversion/ttg_to_llvm/common/Families.h"
#include "compiler/conversion/ttg_to_llvm/memory/AccessWords.h"

using namespace mlir;

namespace tilescope::compiler {

static StringRef cacheText(tt::CacheModifier cache) {
  switch (cache) {
  case tt::CacheModifier::NONE:
    return "";
  case tt::CacheModifier::CA:
    return ".ca";
  case tt::CacheModifier::CG:
    return ".cg";
  case tt::CacheModifier::WB:
    return ".wb";
  case tt::CacheModifier::CS:
    return ".cs";
  case tt::CacheModifier::WT:
    return ".wt";
  case tt::CacheModifier::CV:
    return ".cv";
  }
  llvm_unreachable("all modifiers are covered");
}

static StringRef evictionText(tt::EvictionPolicy policy) {
  return policy == tt::EvictionPolicy::EVICT_FIRST  ? "evict_first"
         : policy == tt::EvictionPolicy::EVICT_LAST ? "evict_last"
                                                    : "";
}

/// The cache policy that an access with this eviction carries; null for the normal one.
static Value makePolicy(Lowering &lowering, tt::EvictionPolicy policy) {
  if (policy == tt::EvictionPolicy::NORMAL || lowering.capability() < 80)
    return {};
  Builder &b = lowering.b;
  std::string text =
      ("createpolicy.fractional.L2::" + evictionText(policy) + ".b64 $0, 1.0;").str();
  return inlineAsm(b, text, "=l", b.getI64Type(), {}, {.sideEffects = false});
}

/// How an access uses the caches. An instruction takes a cache operator or a priority in L1, not
/// both.
static std::string cachingText(tt::CacheModifier cache, tt::EvictionPolicy eviction, Value policy) {
  std::string text = cacheText(cache).str();
  if (text.empty() && eviction != tt::EvictionPolicy::NORMAL)
    text = (".L1::" + evictionText(eviction)).str();
  return policy ? text + ".L2::cache_hint" : text;
}

static LogicalResult lowerLoad(tt::LoadOp op, Lowering &lowering) {
  Builder &b = lowering.b;
  if (tt::isTensorPointerType(op.getPtr().getType()))
    return op.emitError("block pointers are rewritten before lowering");
  const Values &pointers = lowering.values(op.getPtr());
  Type element = storageType(lowering.elementType(op.getType()));
  auto words =
      AccessWords::of(accessWidth(lowering, op.getPtr(), op.getMask()), storageBytes(element) * 8);
  // Volatile accesses go to memory, whatever the caches are told.
  Value policy = op.getIsVolatile() ? Value() : makePolicy(lowering, op.getEvict());
  std::string instruction = op.getIsVolatile()
                                ? "ld.volatile.global"
                                : "ld.global" + cachingText(op.getCache(), op.getEvict(), policy);
  instruction += words.suffix();
  Values loaded;
  for (size_t first = 0; first < pointers.size(); first += words.elements) {
    AsmText text;
    SmallVector<std::string> results;
    for (int i = 0; i < words.count; ++i)
      results.push_back(text.addResult(words.constraint()));
    std::string code;
    if (op.getMask()) {
      SmallVector<Value> others;
      if (op.getOther())
        for (int i = 0; i < words.elements; ++i)
          others.push_back(lowering.values(op.getOther())[first + i]);
      bool zero = llvm::all_of(others, isZero);
      SmallVector<Value> packed;
      if (!zero) {
        for (Value &other : others)
          other = toStorage(b, other);
        packed = words.pack(b, others);
      }
      for (int i = 0; i < words.count; ++i)
        code += "mov.b" + std::to_string(std::max(words.bits, 16)) + " " + results[i] + ", " +
                (zero ? "0x0" : text.addOperand(packed[i], words.constraint())) + ";\n\t";
      code += "@" + text.addOperand(lowering.values(op.getMask())[first], 'b') + " ";
    }
    code += instruction + " " + registerList(results) + ", [ " +
            text.addOperand(pointers[first], 'l') + " + 0 ]";
    if (policy)
      code += ", " + text.addOperand(policy, 'l');
    SmallVector<Value> loadedWords = words.results(
        b, inlineAsm(b, code + ";", text.constraints(), words.resultType(b), text.operands()));
    for (Value value : words.unpack(b, loadedWords, element))
      loaded.push_back(fromStorage(b, value, lowering.elementType(op.getType())));
  }
  lowering.set(op, std::move(loaded));
  return success();
}

static Value both(Builder &b, Value x, Value y) {
  return !x ? y : !y ? x : LLVM::AndOp::create(b, x, y).getResult();
}

Value executesOnce(Lowering &lowering, Type type) {
  if (isa<RankedTensorType>(type))
    return lowering.holdsOriginal(lowering.layout(type));
  Builder &b = lowering.b;
  return LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::eq, lowering.threadId(), i32Constant(b, 0));
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
  Value once = executesOnce(lowering, op.getPtr().getType());
  Value policy = makePolicy(lowering, op.getEvict());
  std::string instruction =
      "st.global" + cachingText(op.getCache(), op.getEvict(), policy) + words.suffix();
  for (size_t first = 0; first < pointers.size(); first += words.elements) {
    AsmText text;
    SmallVector<Value> parts;
    for (int i = 0; i < words.elements; ++i)
      parts.push_back(toStorage(b, values[first + i]));
    Value predicate = both(b, op.getMask() ? lowering.values(op.getMask())[first] : Value(), once);
    std::string code;
    if (predicate)
      code = "@" + text.addOperand(predicate, 'b') + " ";
    code += instruction + " [ " + text.addOperand(pointers[first], 'l') + " + 0 ], ";
    SmallVector<std::string> names;
    for (Value word : words.pack(b, parts))
      names.push_back(text.addOperand(word, words.constraint()));
    code += registerList(names);
    if (policy)
      code += ", " + text.addOperand(policy, 'l');
    inlineAsm(b, code + ";", text.constraints(), {}, text.operands());
  }
  return success();
}

void addMemoryLowerings(LoweringTable &table) {
  table.add<tt::LoadOp>(lowerLoad);
  table.add<tt::StoreOp>(lowerStore);
}

} // namespace tilescope::compiler
