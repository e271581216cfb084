// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/CompileFile.h"
#include "app/commands/DiagnosticText.h"
#include "app/commands/EditedKernels.h"
#include "app/commands/ModelCommands.h"
#include "app/commands/ModelComparisonText.h"
#include "app/commands/ModelData.h"
#include "app/commands/ModelText.h"
#include "app/commands/ReadModel.h"
#include "app/commands/RunModelOnGpu.h"
#include "profiler/data/FileIo.h"
#include "profiler/data/Npy.h"
#include "profiler/data/Text.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tilescope::app {

using nlohmann::json;
using profiler::Tensor;

/// Writes the kernel with its launch, and the tensors that it read and should have written.
static Status saveFirst(const std::string &folder, const ModelPlan &plan,
                        const DivergingKernel &first) {
  const Result<profiler::OutputFolder> made = profiler::OutputFolder::make(folder);
  if (!made)
    return made.error();
  const ModelPlan::Step &step = plan.steps[first.step];
  const std::string text = plan.functions.at(step.function) + "\n\n" + step.block;
  if (Status status = made->write("kernel.py", text); !status)
    return status;
  for (const auto &[name, tensors] :
       {std::pair("inputs", &first.inputs), {"wanted", &first.wanted}}) {
    const Result<profiler::OutputFolder> inner = made->folder(name);
    if (!inner)
      return inner.error();
    for (const auto &[parameter, tensor] : *tensors)
      if (Status status = profiler::writeNpy(*inner, parameter, tensor); !status)
        return status;
  }
  return {};
}

/// The folder with ONNX's test data beside the model; empty: there is none.
static std::string testDataBeside(const std::string &file) {
  const auto folder = std::filesystem::path(file).parent_path() / "test_data_set_0";
  return std::filesystem::is_directory(folder) ? folder.string() : "";
}

/// Files that were asked for by name must be there.
static Status checkExpected(const ModelCompareOptions &options,
                            const std::vector<std::optional<Tensor>> &expected) {
  const bool isAny =
      std::ranges::any_of(expected, [](const auto &each) { return each.has_value(); });
  if (options.expected.empty() || isAny)
    return {};
  return Error{ErrorCode::InvalidInput,
               "`" + options.expected + "` has no file for any output of the model",
               "`NAME.npy`, `NAME.pb` or `output_0.pb`, `output_1.pb` and so on"};
}

int runModelCompare(ModelCompareOptions options) {
  const Result<RunPlace> place = modelPlace(options.where, options.target);
  if (!place)
    return reportError(place.error(), options.json);
  const std::string data = testDataBeside(options.file);
  if (options.inputs.empty() && options.expected.empty())
    options.inputs = options.expected = data;
  Result<compiler::ModelRequest> request =
      modelRequest(options.extents, options.form, options.fusions);
  if (!request)
    return reportError(request.error(), options.json);
  for (const auto &[folder, name] :
       {std::pair(&options.inputs, "--inputs"), {&options.expected, "--expected"}})
    if (!folder->empty())
      if (Status status = profiler::requireFolder(*folder, name); !status)
        return reportError(status.error(), options.json);
  request->path = options.file;
  const Result<std::string> target = gpuTargetAt(*place);
  if (!target)
    return reportError(target.error(), options.json);
  // Kernels that were edited are those for any device.
  request->hasBulkCopies = options.kernels.empty() && hasBulkCopies(*target);
  compiler::WorkerClient worker(workerOptions(options.timeLimit));
  Result<PlannedModel> tried = planModel(worker, *request, options.inputs);
  if (!tried)
    return reportError(tried.error(), options.json);
  std::fputs(modelDiagnosticsText(options.file, tried->model).c_str(), stderr);
  if (!tried->model.ok) {
    if (options.json)
      printJson(modelJson(options.file, tried->model));
    return 1;
  }
  request->form = compiler::ModelForm::Read;
  request->fusions.clear();
  request->hasBulkCopies = false;
  const Result<PlannedModel> reference = planModel(worker, *request, options.inputs);
  if (!reference)
    return reportError(reference.error(), options.json);
  if (!options.kernels.empty()) {
    const Result<std::string> text = profiler::readTextFile(options.kernels);
    if (!text)
      return reportError(text.error(), options.json);
    if (Status status = useKernels(*text, options.kernels, tried->plan); !status)
      return reportError(status.error(), options.json);
  }
  const Result<std::vector<Tensor>> inputs = inputTensors(tried->plan, options.inputs);
  if (!inputs)
    return reportError(inputs.error(), options.json);
  ModelToCompare models{options.file, *reference, *tried, *inputs, {}, options.tolerance};
  models.target = options.target;
  models.place = *place;
  models.timeLimit = options.timeLimit.value_or(models.timeLimit);
  models.expected.resize(tried->plan.outputs.size());
  if (!options.expected.empty()) {
    Result<std::vector<std::optional<Tensor>>> expected =
        expectedOutputs(tried->plan, options.expected);
    if (!expected)
      return reportError(expected.error(), options.json);
    if (Status status = checkExpected(options, *expected); !status)
      return reportError(status.error(), options.json);
    models.expected = std::move(*expected);
  }
  const Result<ModelComparison> comparison = compareModel(worker, models);
  if (!comparison)
    return reportError(comparison.error(), options.json);
  compiler::ModelResult findings;
  findings.diagnostics = comparison->findings;
  std::fputs(modelDiagnosticsText(options.file, findings).c_str(), stderr);
  if (options.json)
    printJson(modelComparisonJson(options.file, *comparison));
  else
    std::fputs(modelComparisonText(*comparison, tried->plan).c_str(), stdout);
  if (comparison->first && !options.output.empty()) {
    if (Status status = saveFirst(options.output, tried->plan, *comparison->first); !status)
      return reportError(status.error());
    if (!options.json)
      std::printf(
          "%s", profiler::printable(
                    fmt::format("saved: `tilescope run {0}/kernel.py --inputs {0}/inputs` runs it; "
                                "{0}/wanted has what it should write\n",
                                options.output))
                    .c_str());
  }
  return comparison->agrees() ? 0 : 1;
}

} // namespace tilescope::app
