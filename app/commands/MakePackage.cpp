// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/MakePackage.h"

#include "app/commands/PredictLaunch.h"
#include "app/commands/TraceChoice.h"
#include "app/launch/DocumentArguments.h"
#include "compiler/types/SignatureType.h"

namespace tilescope::app {

using compiler::StageId;

/// The types of parameters, where a document in LLVM IR or PTX says less than the launch: that a
/// number is an address, that 32 bits are a float.
static void fitToPlan(std::vector<profiler::PackageParameter> &parameters,
                      const profiler::LaunchPlan &plan) {
  for (profiler::PackageParameter &parameter : parameters) {
    const profiler::PlanArgument *argument = plan.argument(parameter.name);
    if (argument == nullptr)
      continue;
    if (const profiler::PlanTensor *tensor = argument->tensor()) {
      if (parameter.type == "i64" || parameter.type == "*i8")
        parameter.type = toSignature(compiler::ScalarType{tensor->dtype}.pointerTo());
    } else if (parameter.type == "i32" && argument->scalar()->type == "fp32") {
      parameter.type = "fp32";
    }
  }
}

Result<profiler::KernelPackage> makePackage(const CompiledFile &file) {
  const compiler::CompileResult &result = file.result;
  if (!file.plan)
    return Error{ErrorCode::InvalidInput,
                 "`" + file.request.path + "` does not say how `" + result.kernel + "` is launched",
                 "write a launch block into the file: grid, arguments and their sizes"};
  const compiler::Stage *ptx = result.stage(StageId::Ptx);
  if (ptx == nullptr || !ptx->ok)
    return Error{ErrorCode::InvalidInput, "`" + file.request.path + "` did not compile to PTX", ""};
  profiler::KernelPackage package;
  package.symbol = result.metadata.name;
  package.target = result.metadata.target;
  package.numWarps = result.metadata.numWarps;
  package.numCtas = result.metadata.numCtas;
  package.sharedBytes = result.metadata.sharedBytes;
  package.globalScratchBytes = result.metadata.globalScratchBytes;
  const std::vector<compiler::KernelParameter> &parameters = result.metadata.parameters;
  for (size_t i = 0; i < parameters.size(); ++i)
    package.parameters.push_back(
        {launchName(parameters, i, file.request.entry, *file.plan), parameters[i].type});
  for (const compiler::KernelParameter &parameter : result.metadata.described)
    package.parameters.push_back({parameter.name, parameter.type});
  if (file.request.entry >= StageId::LlvmIr)
    fitToPlan(package.parameters, *file.plan);
  if (result.resources.registers >= 0)
    package.registers = result.resources.registers;
  if (result.resources.spillBytes >= 0)
    package.spillBytes = result.resources.spillBytes;
  auto trace = traceTableOf(ptx->text);
  if (!trace)
    return trace.error();
  package.trace = std::move(*trace);
  package.plan = *file.plan;
  package.plan.kernel = result.kernel;
  package.sourcePath = file.request.path;
  package.sourceText = file.request.text;
  package.generator = "tilescope " TILESCOPE_VERSION;
  package.ptx = ptx->text;
  if (const compiler::Stage *cubin = result.stage(StageId::Cubin); cubin && cubin->ok)
    package.cubin = cubin->text;
  return package;
}

CompiledPackage compilePackage(compiler::WorkerClient &worker, const InputFile &input,
                               const compiler::Selection &selection,
                               const CompilePackageOptions &wishes) {
  const auto bit = [](StageId stage) { return 1u << static_cast<int>(stage); };
  CompileFileOptions options;
  options.stop = wishes.stop;
  options.stopAfter = wishes.sass ? StageId::Sass : StageId::Cubin;
  options.wanted.layouts = options.wanted.values = options.wanted.passes = false;
  options.wanted.stages =
      bit(StageId::Ptx) | bit(StageId::Cubin) | (wishes.sass ? bit(StageId::Sass) : 0);
  Result<CompiledFile> file = compileInput(worker, input, selection, options);
  if (!file)
    return {file.error(), {}, {}, {}};
  Result<profiler::KernelPackage> package =
      file->result.ok ? makePackage(*file) : Error{ErrorCode::InvalidInput, "", ""};
  compiler::CompileResult &result = file->result;
  // That the disassembler is missing is said where its text is needed.
  std::erase_if(result.diagnostics, [&wishes](const compiler::Diagnostic &each) {
    return wishes.sass && each.kind == compiler::DiagnosticKind::ToolMissing &&
           each.severity == compiler::Severity::Note;
  });
  std::optional<compiler::Stage> sass;
  if (const compiler::Stage *stage = result.stage(StageId::Sass); stage && stage->ok)
    sass = *stage;
  // A sweep has many points: what takes longer is left out.
  constexpr std::chrono::seconds kEstimateLimit{2};
  std::optional<compiler::Estimate> estimate;
  if (wishes.estimate && package)
    estimate = estimateOf(worker, *file, wishes.stop, kEstimateLimit);
  return {std::move(package), std::move(result.diagnostics), std::move(result.files),
          std::move(sass), std::move(estimate)};
}

} // namespace tilescope::app
