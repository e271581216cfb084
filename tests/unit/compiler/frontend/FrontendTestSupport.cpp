// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "tests/unit/compiler/frontend/FrontendTestSupport.h"

#include "compiler/frontend/Frontend.h"
#include "compiler/support/Text.h"

#include "mlir/IR/AsmState.h"

namespace tilescope::compiler {

std::string Emitted::messages() const {
  std::string text;
  for (const Diagnostic &diagnostic : diagnostics)
    text += std::to_string(diagnostic.range.begin.line + 1) + ":" +
            std::to_string(diagnostic.range.begin.column + 1) + ": " + diagnostic.message + "\n";
  return text;
}

Emitted emit(const std::string &source, const Selection &selection, const std::string &path) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  CompileRequest request;
  request.path = path;
  request.text = source;
  request.selection = selection;
  EmittedModule module = emitTtir(context, request);
  Emitted emitted;
  if (module.module) {
    llvm::raw_string_ostream stream(emitted.text);
    module.module->print(stream);
  }
  emitted.diagnostics = std::move(module.diagnostics);
  emitted.values = std::move(module.values);
  emitted.files = std::move(module.files);
  emitted.kernel = module.kernel;
  emitted.kernels = std::move(module.kernels);
  emitted.signature = std::move(module.signature);
  emitted.constexprs = std::move(module.constexprs);
  emitted.assumptions = sentences(module.assumptions);
  emitted.parameters = std::move(module.parameters);
  return emitted;
}

std::string indented(std::string_view body) {
  std::string text;
  for (const std::string_view line : splitLines(body))
    text.append("    ").append(line).append("\n");
  return text;
}

Emitted emitBody(const std::string &body, Selection selection) {
  std::string source = "import triton\n"
                       "import triton.language as tl\n"
                       "@triton.jit\n"
                       "def k(x_ptr, y_ptr, n, B: tl.constexpr):\n"
                       "    i = tl.arange(0, B)\n"
                       "    m = i < n\n"
                       "    x = tl.load(x_ptr + i, mask=m)\n";
  source += indented(body);
  selection.signature.try_emplace("x_ptr", "*fp32:16");
  selection.signature.try_emplace("y_ptr", "*fp32:16");
  selection.signature.try_emplace("n", "i32");
  selection.constexprs.try_emplace("B", "16");
  return emit(source, selection);
}

bool inOrder(const std::string &text, const std::vector<std::string> &pieces) {
  size_t position = 0;
  for (const std::string &piece : pieces) {
    position = text.find(piece, position);
    if (position == std::string::npos)
      return false;
    position += piece.size();
  }
  return true;
}

} // namespace tilescope::compiler
