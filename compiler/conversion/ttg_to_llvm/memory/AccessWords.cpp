// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/ttg_to_llvm/memory/AccessWords.h"

#include "compiler/dialects/ttg/ir/LayoutBridge.h"

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

int registersAlong(const LinearLayout &layout, Dim dim) {
  int bits = 0;
  for (; bits < layout.inBits(Dim::Register); ++bits)
    for (const DimBits &out : layout.outs())
      if (layout.basis(Dim::Register, bits, out.dim) != (out.dim == dim ? int64_t(1) << bits : 0))
        return 1 << bits;
  return 1 << bits;
}

int accessWidth(Lowering &lowering, Value pointers, Value mask) {
  auto type = dyn_cast<RankedTensorType>(pointers.getType());
  if (!type)
    return 1;
  int width = lowering.axes().accessWidth(pointers);
  if (mask)
    width = std::min<int>(width, lowering.axes().maskAlignment(mask));
  Dim fastest = tensorDim(ttg::fastestDims(type).front());
  return std::min(width, registersAlong(lowering.layout(type), fastest));
}

bool isZero(Value value) {
  return matchPattern(value, m_Zero()) || matchPattern(value, m_AnyZeroFloat());
}

} // namespace tilescope::compiler
