// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/ttg_to_llvm/memory/AccessWords.h"

#include "compiler/analysis/WidthLimits.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tilescope::compiler {

AccessWords AccessWords::of(int elements, int elementBits) {
  AccessWords words;
  words.elements = elements;
  words.elementBits = elementBits;
  words.bits = std::min(std::max(32, elementBits), elements * elementBits);
  words.count = elements * elementBits / words.bits;
  return words;
}

Type AccessWords::resultType(Builder &b) const {
  Type word = registerType(b);
  if (count == 1)
    return word;
  return LLVM::LLVMStructType::getLiteral(b.getContext(), SmallVector<Type>(count, word));
}

SmallVector<Value> AccessWords::results(Builder &b, Value all) const {
  if (count == 1)
    return {all};
  SmallVector<Value> words;
  for (int i = 0; i < count; ++i)
    words.push_back(LLVM::ExtractValueOp::create(b, all, i));
  return words;
}

SmallVector<Value> AccessWords::pack(Builder &b, ValueRange elements) const {
  SmallVector<Value> words;
  for (int word = 0; word < count; ++word) {
    ValueRange part = elements.slice(word * elementsPerWord(), elementsPerWord());
    Value value = part.size() == 1 ? part.front() : packVector(b, part);
    value = bitcast(b, value, b.getIntegerType(bits));
    if (bits < 16)
      value = LLVM::ZExtOp::create(b, b.getI16Type(), value);
    words.push_back(value);
  }
  return words;
}

SmallVector<Value> AccessWords::unpack(Builder &b, ValueRange words, Type element) const {
  SmallVector<Value> elements;
  for (Value word : words) {
    if (bits < 16)
      word = LLVM::TruncOp::create(b, b.getIntegerType(bits), word);
    if (elementsPerWord() == 1) {
      elements.push_back(bitcast(b, word, element));
      continue;
    }
    llvm::append_range(
        elements, unpackVector(b, bitcast(b, word, VectorType::get(elementsPerWord(), element))));
  }
  return elements;
}

int accessWidth(Lowering &lowering, Value pointers, Value mask) {
  return static_cast<int>(widthLimits(lowering.axes(), pointers, mask).width());
}

bool isZero(Value value) {
  return matchPattern(value, m_Zero()) || matchPattern(value, m_AnyZeroFloat());
}

} // namespace tilescope::compiler
