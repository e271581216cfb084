// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/ttg_to_llvm/ptx/AsmText.h"
#include "compiler/conversion/ttg_to_llvm/ptx/InlinePtx.h"

using namespace mlir;

namespace tilescope::compiler::ptx {

void tcgen05Alloc(Builder &b, Value predicate, Value shared, int64_t columns) {
  AsmText text;
  const std::string guard = text.addPredicate(predicate);
  text.emit(b, guard + "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 " +
                   text.addAddress(shared) + ", " + std::to_string(columns));
}

void tcgen05RelinquishAllocPermit(Builder &b, Value predicate) {
  AsmText text;
  const std::string guard = text.addPredicate(predicate);
  text.emit(b, guard + "tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned");
}

void tcgen05Dealloc(Builder &b, Value predicate, Value tensor, int64_t columns) {
  AsmText text;
  const std::string guard = text.addPredicate(predicate);
  text.emit(b, guard + "tcgen05.dealloc.cta_group::1.sync.aligned.b32 " +
                   text.addOperand(tensor, 'r') + ", " + std::to_string(columns));
}

void tcgen05Mma(Builder &b, Value predicate, const MatrixProduct &product) {
  AsmText text;
  std::string code = text.addPredicate(predicate);
  code += "tcgen05.mma.cta_group::1.kind::" + product.kind + " " + text.addAddress(product.result);
  const bool isInTensorMemory = product.left.getType().isInteger(32);
  code += ", " +
          (isInTensorMemory ? text.addAddress(product.left) : text.addOperand(product.left, 'l'));
  code += ", " + text.addOperand(product.right, 'l');
  code += ", " + text.addOperand(product.description, 'r');
  if (product.leftScales) {
    code += ", " + text.addAddress(product.leftScales);
    code += ", " + text.addAddress(product.rightScales);
  }
  code += ", " + text.addOperand(product.addsToResult, 'b');
  text.emit(b, code);
}

void tcgen05Commit(Builder &b, Value predicate, Value barrier) {
  AsmText text;
  const std::string guard = text.addPredicate(predicate);
  text.emit(b, guard + "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 " +
                   text.addAddress(barrier));
}

void tcgen05Cp(Builder &b, Value predicate, Value tensor, Value descriptor) {
  AsmText text;
  const std::string guard = text.addPredicate(predicate), place = text.addAddress(tensor);
  text.emit(b, guard + "tcgen05.cp.cta_group::1.warpx4.32x128b " + place + ", " +
                   text.addOperand(descriptor, 'l'));
}

/// The instruction's shape and number of columns.
static std::string form(const TensorColumns &columns) {
  return std::string(columns.split < 0 ? "32x32b" : "16x32bx2") + ".x" +
         std::to_string(columns.count) + ".b32";
}

/// The operand behind the address.
static std::string split(const TensorColumns &columns) {
  return columns.split < 0 ? "" : ", " + std::to_string(columns.split);
}

Value tcgen05Ld(Builder &b, const TensorColumns &columns) {
  AsmText text;
  SmallVector<std::string> names;
  for (size_t index = 0; index < columns.count; ++index)
    names.push_back(text.addResult('r'));
  SmallVector<Type> types(columns.count, b.getI32Type());
  Type result =
      columns.count == 1 ? types.front() : LLVM::LLVMStructType::getLiteral(b.getContext(), types);
  return text.emit(b,
                   "tcgen05.ld.sync.aligned." + form(columns) + " {" + llvm::join(names, ", ") +
                       "}, " + text.addAddress(columns.address) + split(columns) +
                       ";\n\ttcgen05.wait::ld.sync.aligned",
                   result);
}

void tcgen05St(Builder &b, Value predicate, const TensorColumns &columns, ArrayRef<Value> words) {
  AsmText text;
  const std::string guard = text.addPredicate(predicate);
  const std::string address = text.addAddress(columns.address);
  SmallVector<std::string> names;
  for (Value word : words)
    names.push_back(text.addOperand(word, 'r'));
  text.emit(b, guard + "tcgen05.st.sync.aligned." + form(columns) + " " + address + split(columns) +
                   ", {" + llvm::join(names, ", ") + "}");
}

} // namespace tilescope::compiler::ptx
