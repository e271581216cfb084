// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/interpreter/InlineAssembly.h"
#include "compiler/interpreter/Translator.h"

using namespace mlir;

namespace tilescope::compiler::interpreter {

bool Translator::translateAssembly(Operation *op) {
  auto inlineAsm = dyn_cast<tt::ElementwiseInlineAsmOp>(op);
  if (!inlineAsm)
    return false;
  AssemblySource source{.text = inlineAsm.getAsmString().str(),
                        .constraints = inlineAsm.getConstraints().str(),
                        .pack = static_cast<size_t>(inlineAsm.getPackedElement()),
                        .results = {},
                        .arguments = {}};
  const auto add = [](TypeRange types, std::vector<Element> &elements) {
    return llvm::all_of(types, [&](Type type) {
      const std::optional<Element> element = getElement(type);
      if (element)
        elements.push_back(*element);
      return element.has_value();
    });
  };
  if (!add(op->getResultTypes(), source.results) || !add(op->getOperandTypes(), source.arguments))
    return fail(op, "assembly on these types cannot be executed on the CPU");
  auto assembly = std::make_shared<InlineAssembly>(parseInlineAssembly(source));
  if (!assembly->error.empty())
    return fail(op, assembly->error);
  emitWithResult(op, runInlineAssembly, op->getOperands()).state = std::move(assembly);
  return true;
}

} // namespace tilescope::compiler::interpreter
