// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/ttg_to_llvm/ptx/AsmText.h"
#include "compiler/conversion/ttg_to_llvm/ptx/InlinePtx.h"

using namespace mlir;

namespace tilescope::compiler::ptx {

void stShared(Builder &b, Value predicate, Value address, Words words, ArrayRef<Value> values) {
  AsmText text;
  std::string code = text.addPredicate(predicate) + "st.shared" + words.suffix() + " ";
  code += text.addAddress(address) + ", ";
  SmallVector<std::string> names;
  for (Value value : values)
    names.push_back(text.addOperand(value, words.constraint()));
  text.emit(b, code + registerList(names));
}

} // namespace tilescope::compiler::ptx
