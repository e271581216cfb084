// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/native/Assembly.h"
#include "compiler/pipeline/IrText.h"
#include "compiler/pipeline/Stages.h"

namespace tilescope::compiler {

std::optional<AssemblyKernel> makeAssembly(CompileJob &job, LlvmKernel kernel) {
  job.begin(StageId::Assembly);
  job.step(StageId::Assembly, "codegen");
  const CompileJob::Clock::time_point start = CompileJob::Clock::now();
  const native::Assembly code = native::printAssembly(*kernel.module, *kernel.machine);
  PassRecord &record = job.addPass(StageId::Assembly, "codegen", start, code.text.empty());
  IrText text{code.text, placesOfLines(code.places, job.files, kernel.facts.index)};
  if (job.request.recordPassIr)
    keepIr(record, text);
  if (code.text.empty() && !job.hasErrors())
    job.report(DiagnosticKind::PassFailed, Severity::Error, "LLVM wrote no assembly");
  Stage stage;
  stage.id = StageId::Assembly;
  stage.ok = !job.hasErrors();
  stage.text = std::move(text.text);
  stage.sourceMap = std::move(text.sourceMap);
  const bool ok = stage.ok;
  job.finish(std::move(stage));
  return ok && !job.stopped() ? std::optional(AssemblyKernel()) : std::nullopt;
}

} // namespace tilescope::compiler
