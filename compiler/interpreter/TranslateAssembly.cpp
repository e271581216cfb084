// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/interpreter/InlineAssembly.h"
#include "compiler/interpreter/Translator.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace tilescope::compiler::interpreter {

/// The constraints of operands, without those that only name what is overwritten.
static SmallVector<StringRef> splitConstraints(StringRef text) {
  SmallVector<StringRef> parts, operands;
  text.split(parts, ',', -1, /*KeepEmpty=*/false);
  for (StringRef part : parts)
    if (!part.trim().starts_with("~"))
      operands.push_back(part.trim());
  return operands;
}

bool Translator::translateAssembly(Operation *op) {
  auto inlineAsm = dyn_cast<tt::ElementwiseInlineAsmOp>(op);
  if (!inlineAsm)
    return false;
  auto assembly = std::make_shared<InlineAssembly>();
  assembly->pack = static_cast<size_t>(inlineAsm.getPackedElement());
  size_t numRegisters = 0;
  auto place = [&](TypeRange types, std::vector<AssemblyOperand> &operands) {
    for (Type type : types) {
      std::optional<Element> element = getElement(type);
      if (!element)
        return false;
      operands.push_back(placeOperand(*element, assembly->pack, numRegisters));
      numRegisters += operands.back().numRegisters;
    }
    return true;
  };
  if (!place(op->getResultTypes(), assembly->results) ||
      !place(op->getOperandTypes(), assembly->arguments))
    return fail(op, "assembly on these types cannot be executed on the CPU");
  SmallVector<StringRef> constraints = splitConstraints(inlineAsm.getConstraints());
  if (constraints.size() != numRegisters)
    return fail(op, "the assembly has " + std::to_string(constraints.size()) +
                        " operands, but its values take " + std::to_string(numRegisters) +
                        " registers");
  for (AssemblyOperand &argument : assembly->arguments) {
    size_t output = 0;
    if (llvm::to_integer(constraints[argument.firstRegister], output) && output < numRegisters)
      argument.tiedTo = output;
  }
  assembly->snippet = parsePtxSnippet(inlineAsm.getAsmString().str(), numRegisters);
  if (!assembly->snippet.error.empty())
    return fail(op, "the assembly cannot be executed on the CPU: " + assembly->snippet.error);
  emitWithResult(op, runInlineAssembly, op->getOperands()).state = std::move(assembly);
  return true;
}

} // namespace tilescope::compiler::interpreter
