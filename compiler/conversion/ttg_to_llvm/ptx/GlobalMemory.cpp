// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/ttg_to_llvm/ptx/AsmText.h"
#include "compiler/conversion/ttg_to_llvm/ptx/InlinePtx.h"

using namespace mlir;

namespace tilescope::compiler::ptx {

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

/// An instruction takes a cache operator or a priority in L1, not both.
static std::string cachingText(const Caching &caching) {
  std::string text = cacheText(caching.cache).str();
  if (text.empty() && caching.eviction != tt::EvictionPolicy::NORMAL)
    text = (".L1::" + evictionText(caching.eviction)).str();
  return caching.policy ? text + ".L2::cache_hint" : text;
}

static StringRef scopeText(tt::MemSyncScope scope) {
  return scope == tt::MemSyncScope::CTA ? "cta" : scope == tt::MemSyncScope::GPU ? "gpu" : "sys";
}

static std::string orderText(tt::MemSemantic semantic, tt::MemSyncScope scope) {
  return ("." + tt::stringifyMemSemantic(semantic) + "." + scopeText(scope) + ".global").str();
}

/// `[ $1 + 0 ]`.
static std::string addPointer(AsmText &text, Value pointer) {
  return "[ " + text.addOperand(pointer, 'l') + " + 0 ]";
}

static std::string addWords(AsmText &text, ArrayRef<Value> words, char constraint) {
  SmallVector<std::string> names;
  for (Value word : words)
    names.push_back(text.addOperand(word, constraint));
  return registerList(names);
}

static SmallVector<std::string> addResults(AsmText &text, Words words) {
  SmallVector<std::string> names;
  for (int i = 0; i < words.count; ++i)
    names.push_back(text.addResult(words.constraint()));
  return names;
}

Value createpolicy(Builder &b, tt::EvictionPolicy eviction) {
  AsmText text;
  const std::string result = text.addResult('l');
  return text.emit(b,
                   ("createpolicy.fractional.L2::" + evictionText(eviction) + ".b64 ").str() +
                       result + ", 1.0",
                   b.getI64Type(), {.sideEffects = false});
}

Value ld(Builder &b, Value predicate, Value pointer, Words words, ArrayRef<Value> others,
         const Caching &caching, Type result) {
  AsmText text;
  const SmallVector<std::string> results = addResults(text, words);
  std::string code;
  if (predicate)
    for (int i = 0; i < words.count; ++i)
      code += "mov.b" + std::to_string(std::max(words.bits, 16)) + " " + results[i] + ", " +
              (others.empty() ? "0x0" : text.addOperand(others[i], words.constraint())) + ";\n\t";
  code += text.addPredicate(predicate);
  code += caching.isVolatile ? "ld.volatile.global" : "ld.global" + cachingText(caching);
  code += words.suffix() + " " + registerList(results) + ", ";
  code += addPointer(text, pointer);
  if (caching.policy)
    code += ", " + text.addOperand(caching.policy, 'l');
  return text.emit(b, code, result);
}

void st(Builder &b, Value predicate, Value pointer, Words words, ArrayRef<Value> values,
        const Caching &caching) {
  AsmText text;
  std::string code = text.addPredicate(predicate);
  code += "st.global" + cachingText(caching) + words.suffix() + " ";
  code += addPointer(text, pointer) + ", ";
  code += addWords(text, values, words.constraint());
  if (caching.policy)
    code += ", " + text.addOperand(caching.policy, 'l');
  text.emit(b, code);
}

/// `{code} [pointer], operands`.
static Value emitAtomic(Builder &b, AsmText &text, std::string code, Value pointer, Words words,
                        ArrayRef<SmallVector<Value>> operands, Type result) {
  code += addPointer(text, pointer);
  for (const SmallVector<Value> &operand : operands)
    code += ", " + addWords(text, operand, words.constraint());
  return text.emit(b, code, result);
}

Value atom(Builder &b, const AtomicForm &form, Value predicate, Value pointer, Words words,
           ArrayRef<SmallVector<Value>> operands, Type result) {
  AsmText text;
  const SmallVector<std::string> results = addResults(text, words);
  std::string code;
  if (predicate)
    for (const std::string &name : results)
      code += "mov.b" + std::to_string(words.bits) + " " + name + ", 0x0;\n\t";
  code += text.addPredicate(predicate);
  code += "atom" + orderText(form.semantic, form.scope) + form.operation + " " +
          registerList(results) + ", ";
  return emitAtomic(b, text, code, pointer, words, operands, result);
}

void red(Builder &b, const AtomicForm &form, Value predicate, Value pointer, Words words,
         ArrayRef<SmallVector<Value>> operands) {
  AsmText text;
  std::string code = text.addPredicate(predicate);
  code += "red" + orderText(form.semantic, form.scope) + form.operation + " ";
  emitAtomic(b, text, code, pointer, words, operands, {});
}

Value ldOrdered(Builder &b, Value pointer, int bits, tt::MemSemantic semantic,
                tt::MemSyncScope scope, Type result) {
  AsmText text;
  const Words word{bits, 1};
  std::string code = "ld" + orderText(semantic, scope) + word.suffix() + " ";
  code += text.addResult(word.constraint()) + ", ";
  code += addPointer(text, pointer);
  return text.emit(b, code, result);
}

} // namespace tilescope::compiler::ptx
