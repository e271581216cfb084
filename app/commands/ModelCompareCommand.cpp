// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/CompileFile.h"
#include "app/commands/DiagnosticText.h"
#include "app/commands/EditedKernels.h"
#include "app/commands/ModelCommands.h"
#include "app/commands/ModelComparison.h"
#include "app/commands/ModelData.h"
#include "app/commands/ModelText.h"
#include "app/commands/ReadModel.h"
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

static std::string placeText(const ComparedTensor &tensor) {
  return fmt::format(
      "[{}]", fmt::join(profiler::elementCoordinates(tensor.difference.at, tensor.shape), ", "));
}

static std::string typeText(const ComparedTensor &tensor) {
  return fmt::format("{} [{}]", profiler::dtypeName(tensor.dtype), fmt::join(tensor.shape, ", "));
}

static std::string differenceText(const ComparedTensor &tensor) {
  const TensorDifference &difference = tensor.difference;
  if (difference.largest == 0)
    return "equal, bit for bit";
  return fmt::format("error {:.3g} in norm, at most {:.3g} (relative {:.3g}, {:.3g} ULP at most)",
                     difference.inNorm, difference.largest, difference.largestRelative,
                     difference.ulps);
}

static std::string outputText(const ComparedTensor &output) {
  if (!output.isCompared())
    return fmt::format(
        "output {}: {}, what it is compared with has another type or other extents\n", output.name,
        typeText(output));
  std::string text = fmt::format("output {}: {}, against {}: {}", output.name, typeText(output),
                                 output.reference, differenceText(output));
  if (output.diverges())
    text += fmt::format("; {} is {:.6g} instead of {:.6g}", placeText(output), output.found,
                        output.wanted);
  return text + "\n";
}

static std::string firstText(const ModelComparison &comparison, const ModelPlan &plan) {
  const auto isWrong = [](const ComparedTensor &each) { return each.diverges(); };
  const auto first = std::ranges::find_if(comparison.results, isWrong);
  const auto wrong = std::ranges::count_if(comparison.results, isWrong);
  return fmt::format("first to diverge: kernel {} of {}, `{}` of `{}`: its {} against the result "
                     "of `{}`: {}; {} is {:.6g} instead of {:.6g}\n{} results diverge\n",
                     comparison.first->step + 1, plan.steps.size(), first->function, first->name,
                     typeText(*first), first->reference, differenceText(*first), placeText(*first),
                     first->found, first->wanted, wrong);
}

static std::string comparisonText(const ModelComparison &comparison, const ModelPlan &plan) {
  std::string text;
  const ComparedTensor *worst = nullptr;
  size_t compared = 0;
  for (const ComparedTensor &each : comparison.results) {
    if (!each.isCompared())
      continue;
    ++compared;
    if (worst == nullptr || each.difference.inNorm > worst->difference.inNorm)
      worst = &each;
  }
  if (comparison.first)
    text = firstText(comparison, plan);
  else if (worst != nullptr)
    text = fmt::format("{} kernels agree with the model's own operations, each run by itself: the "
                       "largest error is {:.3g} in norm, of `{}` in `{}`\n",
                       plan.steps.size(), worst->difference.inNorm, worst->name, worst->function);
  if (compared < comparison.results.size())
    text += fmt::format("{} of {} results stand for no operation of the model alone, and were not "
                        "compared\n",
                        comparison.results.size() - compared, comparison.results.size());
  for (const ComparedTensor &output : comparison.outputs)
    text += outputText(output);
  return profiler::printable(text);
}

/// JSON has no infinity.
static json numberJson(double value) { return std::isfinite(value) ? json(value) : json(); }

static json tensorJson(const ComparedTensor &tensor) {
  json object = {{"name", tensor.name},
                 {"type", profiler::dtypeName(tensor.dtype)},
                 {"shape", tensor.shape},
                 {"compared", tensor.isCompared()}};
  if (!tensor.function.empty())
    object["function"] = tensor.function;
  if (!tensor.isCompared())
    return object;
  object.update({{"reference", tensor.reference},
                 {"diverges", tensor.diverges()},
                 {"error", numberJson(tensor.difference.inNorm)},
                 {"largest", numberJson(tensor.difference.largest)},
                 {"largest_relative", numberJson(tensor.difference.largestRelative)},
                 {"ulps", numberJson(tensor.difference.ulps)},
                 {"at", profiler::elementCoordinates(tensor.difference.at, tensor.shape)},
                 {"found", numberJson(tensor.found)},
                 {"wanted", numberJson(tensor.wanted)}});
  return object;
}

static json comparisonJson(const std::string &file, const ModelComparison &comparison) {
  json results = json::array(), outputs = json::array();
  for (const ComparedTensor &each : comparison.results)
    results.push_back(tensorJson(each));
  for (const ComparedTensor &each : comparison.outputs)
    outputs.push_back(tensorJson(each));
  json object = {{"file", file},
                 {"ok", comparison.agrees()},
                 {"results", std::move(results)},
                 {"outputs", std::move(outputs)}};
  if (comparison.first)
    object["first"] = comparison.first->step;
  return object;
}

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

static int fail(const Error &error, bool asJson) {
  return error.message.empty() ? 1 : reportError(error, asJson);
}

int runModelCompare(ModelCompareOptions options) {
  const std::string data = testDataBeside(options.file);
  if (options.inputs.empty() && options.expected.empty())
    options.inputs = options.expected = data;
  Result<compiler::ModelRequest> request = modelRequest(options.extents, options.form);
  if (!request)
    return reportError(request.error(), options.json);
  for (const auto &[folder, name] :
       {std::pair(&options.inputs, "--inputs"), {&options.expected, "--expected"}})
    if (!folder->empty())
      if (Status status = profiler::requireFolder(*folder, name); !status)
        return reportError(status.error(), options.json);
  request->path = options.file;
  compiler::WorkerClient worker(workerOptions(options.timeLimit));
  Result<PlannedModel> tried = planModel(worker, *request, options.inputs);
  request->form = compiler::ModelForm::Read;
  const Result<PlannedModel> reference =
      tried ? planModel(worker, *request, options.inputs) : Result<PlannedModel>(tried.error());
  if (!reference)
    return fail(reference.error(), options.json);
  if (!options.kernels.empty())
    if (Status status = useKernelsOf(options.kernels, tried->plan); !status)
      return reportError(status.error(), options.json);
  const Result<std::vector<Tensor>> inputs = inputTensors(tried->plan, options.inputs);
  if (!inputs)
    return reportError(inputs.error(), options.json);
  ModelToCompare models{options.file, *reference, *tried, *inputs, {}, options.tolerance};
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
    printJson(comparisonJson(options.file, *comparison));
  else
    std::fputs(comparisonText(*comparison, tried->plan).c_str(), stdout);
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
