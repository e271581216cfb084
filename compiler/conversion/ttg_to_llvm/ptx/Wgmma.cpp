// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/ttg_to_llvm/ptx/Wgmma.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace tilescope::compiler::ptx {

StringRef wgmmaFactorName(Type type) {
  if (type.isF16())
    return "f16";
  if (type.isBF16())
    return "bf16";
  if (type.isF32())
    return "tf32";
  if (type.isInteger(8))
    return "s8";
  if (isa<Float8E4M3FNType>(type))
    return "e4m3";
  return isa<Float8E5M2Type>(type) ? "e5m2" : "";
}

StringRef wgmmaResultName(Type type) {
  if (type.isF32())
    return "f32";
  if (type.isF16())
    return "f16";
  return type.isInteger(32) ? "s32" : "";
}

static StringRef letter(Value value) {
  Type type = value.getType();
  return type.isF32() ? "f" : type.isInteger(1) ? "b" : type.isInteger(64) ? "l" : "r";
}

WgmmaBlock::WgmmaBlock(ArrayRef<Value> updated, bool read) : m_numUpdated(updated.size()) {
  for (Value value : updated)
    append(("=&" + letter(value)).str());
  if (!read)
    return;
  for (auto [index, value] : llvm::enumerate(updated)) {
    append(std::to_string(index));
    m_operands.push_back(value);
  }
}

void WgmmaBlock::append(StringRef constraint) {
  m_constraints += (m_constraints.empty() ? "" : ",") + constraint.str();
}

std::string WgmmaBlock::input(Value value) {
  std::string &name = m_names[value];
  if (name.empty()) {
    name = "$" + std::to_string(m_numUpdated + m_operands.size());
    append(letter(value));
    m_operands.push_back(value);
  }
  return name;
}

void WgmmaBlock::multiply(const WgmmaForm &form, const WgmmaProduct &product) {
  SmallVector<std::string> names;
  for (size_t index = 0; index < product.numOutputs; ++index)
    names.push_back("$" + std::to_string(product.firstOutput + index));
  m_text += ("wgmma.mma_async.sync.aligned.m64n" + Twine(form.columns) + "k" + Twine(form.depth) +
             "." + form.result + "." + form.left + "." + form.right)
                .str();
  m_text += " {" + llvm::join(names, ", ") + "}, ";
  const bool isDescribed = product.left.size() == 1;
  names.clear();
  for (Value word : product.left)
    names.push_back(input(word));
  m_text += isDescribed ? names.front() : "{" + llvm::join(names, ", ") + "}";
  m_text += ", " + input(product.right) + ", " + product.addsToResult;
  if (form.result != "s32")
    m_text += ", 1, 1";
  // Only factors of 16 bits can be read across.
  constexpr int64_t kHalfDepth = 16;
  if (form.depth == kHalfDepth) {
    if (isDescribed)
      m_text += product.isLeftAcross ? ", 1" : ", 0";
    m_text += product.isRightAcross ? ", 1" : ", 0";
  }
  m_text += ";\n\t";
}

void WgmmaBlock::waitGroup(int64_t pending) {
  m_text += (m_text.empty() ? "" : "\n\t") + std::string("wgmma.wait_group.sync.aligned ") +
            std::to_string(pending) + ";";
}

SmallVector<Value> WgmmaBlock::emit(Builder &b, TypeRange types) const {
  Type result;
  if (types.size() == 1)
    result = types.front();
  else if (types.size() > 1)
    result = LLVM::LLVMStructType::getLiteral(b.getContext(), llvm::to_vector(types));
  Value all = inlineAsm(b, m_text, m_constraints, result, m_operands);
  if (types.size() <= 1)
    return result ? SmallVector<Value>{all} : SmallVector<Value>{};
  SmallVector<Value> values;
  for (size_t index = 0; index < types.size(); ++index)
    values.push_back(LLVM::ExtractValueOp::create(b, all, index));
  return values;
}

} // namespace tilescope::compiler::ptx
