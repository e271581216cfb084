// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/ttg_to_llvm/ptx/AsmText.h"
#include "compiler/conversion/ttg_to_llvm/ptx/InlinePtx.h"

using namespace mlir;

namespace tilescope::compiler::ptx {

Value cvtRzF16F32(Builder &b, Value value) {
  AsmText text;
  const std::string result = text.addResult('h');
  return text.emit(b, "cvt.rz.f16.f32 " + result + ", " + text.addOperand(value, 'f'),
                   b.getI16Type(), {.sideEffects = false});
}

Value packedF32x2(Builder &b, StringRef operation, ArrayRef<Value> words) {
  AsmText text;
  std::string code = operation.str() + ".rn.f32x2 " + text.addResult('l');
  for (Value word : words)
    code += ", " + text.addOperand(word, 'l');
  return text.emit(b, code, b.getI64Type(), {.sideEffects = false});
}

Value mmaSync(Builder &b, StringRef form, ArrayRef<Value> left, ArrayRef<Value> right,
              ArrayRef<Value> sums, Type result) {
  const char letter = sums.front().getType().isF32() ? 'f' : 'r';
  AsmText text;
  SmallVector<std::string> names;
  for (size_t index = 0; index < sums.size(); ++index)
    names.push_back(text.addResult(letter));
  std::string code = "mma.sync.aligned." + form.str() + " { " + llvm::join(names, ", ") + " }";
  for (auto [words, constraint] :
       {std::pair(left, 'r'), std::pair(right, 'r'), std::pair(sums, letter)}) {
    names.clear();
    for (Value word : words)
      names.push_back(text.addOperand(word, constraint));
    code += ", { " + llvm::join(names, ", ") + " }";
  }
  return text.emit(b, code, result, {.sideEffects = false});
}

} // namespace tilescope::compiler::ptx
