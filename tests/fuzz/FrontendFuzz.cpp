// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Random kernels: each ends in a module that verifies, also after clean-up, or in diagnostics with
// places. A file that begins with `import` is taken as it stands.
#include "compiler/frontend/Frontend.h"
#include "compiler/pipeline/StagePasses.h"
#include "tests/fuzz/Check.h"
#include "tests/fuzz/KernelGrammar.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"

#include <algorithm>
#include <cstdlib>
#include <string>

using namespace tilescope;
using namespace tilescope::compiler;

static void cleanUp(mlir::ModuleOp module) {
  mlir::PassManager passes(module.getContext(), mlir::ModuleOp::getOperationName());
  addStagePasses(StageId::Ttir, passes, {});
  fuzz::require(mlir::succeeded(passes.run(module)), "what the frontend emits can be cleaned up");
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  CompileRequest request;
  request.path = "fuzz.py";
  const std::string given(reinterpret_cast<const char *>(data), size);
  request.text = given.starts_with("import") ? given : fuzz::kernelFromBytes(data, size);
  request.selection.constexprs = {{"B", "16"}, {"F", "None"}};
  if (std::getenv("TILESCOPE_FUZZ_SHOW") != nullptr)
    std::fputs(request.text.c_str(), stdout);

  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  EmittedModule emitted = emitTtir(context, request);
  fuzz::requireSound(emitted.diagnostics);
  const bool hasErrors = std::ranges::any_of(
      emitted.diagnostics, [](const Diagnostic &d) { return d.severity == Severity::Error; });
  fuzz::require(hasErrors == !emitted.module, "there is a module or an error");
  for (const Diagnostic &diagnostic : emitted.diagnostics)
    if (diagnostic.kind == DiagnosticKind::Internal) {
      for (const std::string &note : diagnostic.notes)
        std::fputs(note.c_str(), stderr);
      fuzz::require(false, "the emitted IR is valid");
    }
  if (emitted.module)
    cleanUp(*emitted.module);
  return 0;
}
