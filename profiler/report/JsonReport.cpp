// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/data/Base64.h"
#include "profiler/data/MeasurementJson.h"
#include "profiler/data/Text.h"
#include "profiler/package/PlanJson.h"
#include "profiler/report/ReportComparison.h"
#include "profiler/report/ReportFields.h"
#include "profiler/report/StageDifference.h"

namespace tilescope::profiler {

using nlohmann::json;

template <typename Fields, typename Value> static json fieldsToJson(const Value &value) {
  json object = json::object();
  Fields::list(JsonFieldWriter{object}, value);
  return object;
}

template <typename Fields, typename Value>
static json listToJson(const std::vector<Value> &values) {
  json list = json::array();
  for (const Value &value : values)
    list.push_back(fieldsToJson<Fields>(value));
  return list;
}

static json textsToJson(const std::vector<NamedText> &texts) {
  json object = json::object();
  for (const auto &[name, value] : texts)
    object[name] = value;
  return object;
}

static json stagesToJson(const ReportKernel &kernel) {
  json stages = json::array();
  for (const ReportStage &stage : kernel.stages) {
    json object = fieldsToJson<StageFields>(stage);
    // Machine code is not text.
    if (stage.id != "cubin") {
      object["text"] = stage.text;
      object["sources"] = stage.sources;
    }
    if (!stage.sampleShares.empty())
      object["sample_shares"] = stage.sampleShares;
    stages.push_back(std::move(object));
  }
  return stages;
}

static json checkToJson(const OutputComparison &comparison) {
  if (!comparison.fault.empty())
    return {{"ok", false}, {"fault", comparison.fault}};
  json object = {{"ok", comparison.mismatches == 0},
                 {"mismatches", comparison.mismatches},
                 {"max_abs_error", realToJson(comparison.maxAbsError)},
                 {"absolute_tolerance", comparison.absoluteTolerance},
                 {"relative_tolerance", comparison.relativeTolerance},
                 {"tolerance_per_element", comparison.isTolerancePerElement}};
  const auto element = [](const std::vector<int64_t> &at, double actual, double expected) {
    return json{{"at", at}, {"actual", realToJson(actual)}, {"expected", realToJson(expected)}};
  };
  if (comparison.mismatches > 0) {
    object["first"] =
        element(comparison.firstMismatch, comparison.firstActual, comparison.firstExpected);
    object["worst"] = element(comparison.worst, comparison.worstActual, comparison.worstExpected);
  }
  return object;
}

static json cpuRunToJson(const ReportCpuRun &run) {
  json object = fieldsToJson<CpuRunFields>(run);
  object["outputs"] = json::array();
  for (const ReportOutput &output : run.outputs) {
    object["outputs"].push_back(fieldsToJson<OutputFields>(output));
    if (output.comparison)
      object["outputs"].back()["expected"] = checkToJson(*output.comparison);
  }
  return object;
}

static json accessesToJson(const ReportKernel &kernel) {
  json accesses = json::array();
  for (const ReportAccess &access : kernel.accesses) {
    json object = fieldsToJson<AccessFields>(access);
    if (access.isCounted) {
      object["vector_bytes"] = access.vectorBytes;
      object["requests"] = access.requests;
      object[access.isShared ? "wavefronts" : "sectors"] =
          access.isShared ? access.wavefronts : access.sectors;
      object[access.isShared ? "minimum_wavefronts" : "bytes_fetched"] =
          access.isShared ? access.minimumWavefronts : access.bytesFetched;
      object["bytes_used"] = access.bytesUsed;
    }
    accesses.push_back(std::move(object));
  }
  return {{"of", kernel.accessesOf}, {"accesses", std::move(accesses)}};
}

/// What is known of memory, loops, registers and conversions.
static void addFindings(const ReportKernel &kernel, json &object) {
  if (!kernel.hints.empty())
    object["hints"] = listToJson<HintFields>(kernel.hints);
  if (!kernel.accesses.empty())
    object["memory"] = accessesToJson(kernel);
  if (!kernel.sharedBuffers.empty()) {
    object["shared_memory"] = listToJson<SharedFields>(kernel.sharedBuffers);
    object["shared_memory_of"] = kernel.sharedOf;
  }
  if (!kernel.loops.empty())
    object["loops"] = listToJson<LoopFields>(kernel.loops);
  if (!kernel.liveValues.empty())
    object["live_registers"] = {{"of", kernel.liveOf},
                                {"values", listToJson<LiveFields>(kernel.liveValues)}};
  if (!kernel.conversions.empty())
    object["conversions"] = listToJson<ConversionFields>(kernel.conversions);
  if (!kernel.arrays.empty())
    object["programs"] = {{"note", kernel.programsNote},
                          {"arguments", listToJson<ArrayFields>(kernel.arrays)}};
}

static json kernelToJson(const ReportKernel &kernel) {
  json object = fieldsToJson<KernelFields>(kernel);
  object["signature"] = textsToJson(kernel.signature);
  object["constexprs"] = textsToJson(kernel.constexprs);
  object["options"] = textsToJson(kernel.options);
  object["stages"] = stagesToJson(kernel);
  object["passes"] = listToJson<PassFields>(kernel.passes);
  object["diagnostics"] = listToJson<MessageFields>(kernel.messages);
  object["resources"] = fieldsToJson<ResourceFields>(kernel);
  // JSON is UTF-8: of other texts it has an approximation, and the bytes.
  if (firstInvalidUtf8(kernel.source))
    object["source_base64"] = encodeBase64(kernel.source);
  addFindings(kernel, object);
  if (kernel.plan)
    object["launch"] = planToJson(*kernel.plan);
  if (!kernel.launchTitle.empty())
    object["launch_title"] = kernel.launchTitle;
  if (!kernel.launchesLeftOut.empty())
    object["launches_left_out"] = kernel.launchesLeftOut;
  if (kernel.cpuRun)
    object["interpreter"] = cpuRunToJson(*kernel.cpuRun);
  if (kernel.measurement)
    object["measurement"] = measurementToJson(*kernel.measurement);
  if (!kernel.measuredAt.empty())
    object["measured_at"] = kernel.measuredAt;
  if (!kernel.machineCode.empty())
    object["machine_code"] = kernel.machineCode;
  if (!kernel.measurementMissing.empty())
    object["measurement_missing"] = kernel.measurementMissing;
  return object;
}

static json comparisonToJson(const ReportData &data) {
  const ReportComparison comparison = compareKernels(data.kernels[0], data.kernels[1]);
  json figures = json::array();
  for (const ComparedFigure &figure : comparison.figures)
    figures.push_back({{"name", figure.name},
                       {"before", figure.before},
                       {"after", figure.after},
                       {"change", figure.change}});
  json stages = json::array();
  for (const StageDifference &each : stageDifferences(data.kernels[0], data.kernels[1]))
    stages.push_back(
        {{"name", each.id}, {"added", each.diff.numAdded}, {"removed", each.diff.numRemoved}});
  return {
      {"facts", comparison.facts}, {"figures", std::move(figures)}, {"stages", std::move(stages)}};
}

std::string jsonReport(const ReportData &data) {
  json kernels = json::array();
  for (const ReportKernel &kernel : data.kernels)
    kernels.push_back(kernelToJson(kernel));
  json object = {{"schema", {{"name", kReportSchema}, {"version", kReportVersion}}},
                 {"title", data.title},
                 {"generator", data.generator},
                 {"created", data.created},
                 {"environment", textsToJson(data.environment)},
                 {"kernels", std::move(kernels)}};
  if (data.isComparison && data.kernels.size() > 1)
    object["comparison"] = comparisonToJson(data);
  return object.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

} // namespace tilescope::profiler
