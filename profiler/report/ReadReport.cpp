// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/report/ReadReport.h"

#include "profiler/analysis/Occupancy.h"
#include "profiler/data/Base64.h"
#include "profiler/data/MeasurementJson.h"
#include "profiler/package/PlanJson.h"
#include "profiler/report/ReportFields.h"

#include <stdexcept>

namespace tilescope::profiler {

using nlohmann::json;

// More than any report has.
static constexpr size_t kMostKernels = 10000;

static const json *member(const json &object, const char *key) {
  const auto found = object.find(key);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

template <typename Fields, typename Value>
static void listFromJson(const json *list, std::vector<Value> &values) {
  if (!list)
    return;
  if (!list->is_array())
    throw std::invalid_argument("expected a list");
  for (const json &object : *list)
    Fields::list(ReportFieldReader{object}, values.emplace_back());
}

static std::vector<NamedText> textsFromJson(const json &object, const char *key) {
  std::vector<NamedText> texts;
  if (const json *found = member(object, key))
    for (const auto &[name, value] : jsonAs<std::map<std::string, std::string>>(*found))
      texts.emplace_back(name, value);
  return texts;
}

static void readStages(const json &object, ReportKernel &kernel) {
  listFromJson<StageFields>(member(object, "stages"), kernel.stages);
  for (size_t i = 0; i < kernel.stages.size(); ++i) {
    ReportStage &stage = kernel.stages[i];
    ReportFieldReader reader{object.at("stages")[i]};
    reader.field("text", stage.text);
    reader.field("sources", stage.sources);
    reader.field("sample_shares", stage.sampleShares);
    if (stage.title.empty())
      stage.title = stage.id;
  }
}

static void readElement(const json *object, std::vector<int64_t> &at, double &actual,
                        double &expected) {
  if (!object)
    return;
  ReportFieldReader reader{*object};
  reader.field("at", at);
  reader.field("actual", actual);
  reader.field("expected", expected);
}

static OutputComparison checkFromJson(const json &object) {
  OutputComparison comparison;
  comparison.isWithExpected = true;
  ReportFieldReader reader{object};
  reader.field("fault", comparison.fault);
  reader.field("mismatches", comparison.mismatches);
  reader.field("max_abs_error", comparison.maxAbsError);
  reader.field("absolute_tolerance", comparison.absoluteTolerance);
  reader.field("relative_tolerance", comparison.relativeTolerance);
  reader.field("tolerance_per_element", comparison.isTolerancePerElement);
  readElement(member(object, "first"), comparison.firstMismatch, comparison.firstActual,
              comparison.firstExpected);
  readElement(member(object, "worst"), comparison.worst, comparison.worstActual,
              comparison.worstExpected);
  return comparison;
}

static ReportCpuRun cpuRunFromJson(const json &object) {
  ReportCpuRun run;
  CpuRunFields::list(ReportFieldReader{object}, run);
  listFromJson<OutputFields>(member(object, "outputs"), run.outputs);
  for (size_t i = 0; i < run.outputs.size(); ++i)
    if (const json *expected = member(object.at("outputs")[i], "expected"))
      run.outputs[i].comparison = checkFromJson(*expected);
  return run;
}

static void readAccesses(const json &object, ReportKernel &kernel) {
  ReportFieldReader{object}.field("of", kernel.accessesOf);
  listFromJson<AccessFields>(member(object, "accesses"), kernel.accesses);
  for (size_t i = 0; i < kernel.accesses.size(); ++i) {
    ReportAccess &access = kernel.accesses[i];
    const json &counts = object.at("accesses")[i];
    access.isCounted = counts.contains("requests");
    access.isShared = counts.contains("wavefronts");
    ReportFieldReader reader{counts};
    reader.field("vector_bytes", access.vectorBytes);
    reader.field("requests", access.requests);
    reader.field("sectors", access.sectors);
    reader.field("wavefronts", access.wavefronts);
    reader.field("minimum_wavefronts", access.minimumWavefronts);
    reader.field("bytes_fetched", access.bytesFetched);
    reader.field("bytes_used", access.bytesUsed);
  }
}

static void readFindings(const json &object, ReportKernel &kernel) {
  listFromJson<HintFields>(member(object, "hints"), kernel.hints);
  if (const json *memory = member(object, "memory"))
    readAccesses(*memory, kernel);
  listFromJson<SharedFields>(member(object, "shared_memory"), kernel.sharedBuffers);
  ReportFieldReader{object}.field("shared_memory_of", kernel.sharedOf);
  listFromJson<LoopFields>(member(object, "loops"), kernel.loops);
  if (const json *live = member(object, "live_registers")) {
    ReportFieldReader{*live}.field("of", kernel.liveOf);
    listFromJson<LiveFields>(member(*live, "values"), kernel.liveValues);
  }
  listFromJson<ConversionFields>(member(object, "conversions"), kernel.conversions);
  if (const json *programs = member(object, "programs")) {
    ReportFieldReader{*programs}.field("note", kernel.programsNote);
    listFromJson<ArrayFields>(member(*programs, "arguments"), kernel.arrays);
  }
}

/// Reports of version 1 do not say it: their first stage of a kernel file is the syntax tree.
static bool isPython(const ReportKernel &kernel) {
  return !kernel.stages.empty() && kernel.stages.front().id == "ast";
}

static void readSource(const json &object, ReportKernel &kernel) {
  kernel.isPython = isPython(kernel);
  ReportFieldReader{object}.field("is_python", kernel.isPython);
  const json *bytes = member(object, "source_base64");
  if (!bytes)
    return;
  std::optional<std::string> source = decodeBase64(jsonAs<std::string>(*bytes));
  if (!source)
    throw std::invalid_argument("`source_base64` is not base64");
  kernel.source = std::move(*source);
}

/// From what the report says of resources; nothing where it lacks some, or no device has as much.
static std::optional<Occupancy> occupancyOf(const ReportKernel &kernel) {
  const auto isWithin = [](const std::optional<int64_t> &number, int64_t least, int64_t most) {
    return number && *number >= least && *number <= most;
  };
  if (!isWithin(kernel.registers, 0, 255) || !isWithin(kernel.sharedBytes, 0, 1 << 20) ||
      !isWithin(kernel.threads, 1, 1024))
    return std::nullopt;
  return occupancyOn(kernel.target, {*kernel.registers, *kernel.sharedBytes,
                                     static_cast<int32_t>(*kernel.threads)});
}

static ReportKernel kernelFromJson(const json &object) {
  if (!object.is_object())
    throw std::invalid_argument("expected an object");
  ReportKernel kernel;
  KernelFields::list(ReportFieldReader{object}, kernel);
  kernel.signature = textsFromJson(object, "signature");
  kernel.constexprs = textsFromJson(object, "constexprs");
  kernel.options = textsFromJson(object, "options");
  readStages(object, kernel);
  readSource(object, kernel);
  listFromJson<PassFields>(member(object, "passes"), kernel.passes);
  listFromJson<MessageFields>(member(object, "diagnostics"), kernel.messages);
  if (const json *resources = member(object, "resources"))
    ResourceFields::list(ReportFieldReader{*resources}, kernel);
  kernel.occupancy = occupancyOf(kernel);
  readFindings(object, kernel);
  if (const json *plan = member(object, "launch"))
    kernel.plan = planFromJson(*plan);
  if (const json *run = member(object, "interpreter"))
    kernel.cpuRun = cpuRunFromJson(*run);
  if (const json *measurement = member(object, "measurement"))
    kernel.measurement = measurementFromJson(*measurement);
  ReportFieldReader reader{object};
  reader.field("launch_title", kernel.launchTitle);
  reader.field("launches_left_out", kernel.launchesLeftOut);
  reader.field("measured_at", kernel.measuredAt);
  reader.field("machine_code", kernel.machineCode);
  reader.field("measurement_missing", kernel.measurementMissing);
  return kernel;
}

static Error notReadable(const std::string &why) {
  return {ErrorCode::InvalidInput, "the report cannot be read: " + why, ""};
}

/// The version that it states. Throws where it states something else.
static int versionOf(const json &document) {
  const json *schema = member(document, "schema");
  return schema ? jsonAs<int>(schema->at("version")) : 1;
}

bool isReport(const json &document) {
  if (!document.is_object())
    return false;
  if (const json *schema = member(document, "schema"))
    return schema->is_object() && schema->value("name", json()) == kReportSchema;
  const json *kernels = member(document, "kernels");
  return kernels && kernels->is_array() && document.contains("generator");
}

Result<ReportData> reportFromJson(const json &document) {
  if (!isReport(document))
    return Error{ErrorCode::InvalidInput, "this JSON is not a report of Tilescope", ""};
  ReportData data;
  std::string place;
  try {
    if (const int version = versionOf(document); version > kReportVersion)
      return Error{ErrorCode::InvalidInput,
                   "the report has version " + std::to_string(version) +
                       " of its format, and this program reads versions up to " +
                       std::to_string(kReportVersion),
                   "open it with the Tilescope that wrote it, or a newer one"};
    ReportFieldReader reader{document};
    reader.field("title", data.title);
    reader.field("generator", data.generator);
    reader.field("created", data.created);
    data.environment = textsFromJson(document, "environment");
    data.isComparison = document.contains("comparison");
    const json &kernels = document.at("kernels");
    if (!kernels.is_array() || kernels.size() > kMostKernels)
      throw std::out_of_range("`kernels` is not a list of at most " + std::to_string(kMostKernels));
    for (size_t i = 0; i < kernels.size(); ++i) {
      place = "kernel " + std::to_string(i + 1) + ": ";
      data.kernels.push_back(kernelFromJson(kernels[i]));
    }
  } catch (const std::exception &failure) {
    return notReadable(place + failure.what());
  }
  return data;
}

static constexpr std::string_view kDataBegin =
    "<script type=\"application/json\" id=\"report-data\">";

bool isReportPage(std::string_view text) { return text.find(kDataBegin) != std::string_view::npos; }

/// The page's texts are escaped, and so is each `<` of the data: both marks are the page's own.
static std::string_view dataOfPage(std::string_view page) {
  const size_t begin = page.find(kDataBegin);
  if (begin == std::string_view::npos)
    return page;
  page.remove_prefix(begin + kDataBegin.size());
  return page.substr(0, page.find("</script>"));
}

Result<ReportData> readReport(std::string_view text) {
  const Result<json> document = parseJson(dataOfPage(text));
  if (!document)
    return notReadable(document.error().message);
  return reportFromJson(*document);
}

} // namespace tilescope::profiler
