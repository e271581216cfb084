// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/support/Counted.h"
#include "profiler/analysis/Comparison.h"
#include "profiler/data/Base64.h"
#include "profiler/data/MeasurementJson.h"
#include "profiler/data/Text.h"
#include "profiler/package/PlanJson.h"
#include "profiler/report/AccessWords.h"
#include "profiler/report/Differences.h"
#include "profiler/report/LaunchWords.h"
#include "profiler/report/MarkdownParts.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tilescope::profiler {

using nlohmann::json;

static json textsToJson(const std::vector<NamedText> &texts) {
  json object = json::object();
  for (const auto &[name, value] : texts)
    object[name] = value;
  return object;
}

static json stagesToJson(const ReportKernel &kernel) {
  json stages = json::array();
  for (const ReportStage &stage : kernel.stages) {
    json object = {{"name", stage.id}, {"ok", stage.ok}, {"ms", stage.ms}};
    // Machine code is not text.
    if (stage.id != "cubin") {
      object["text"] = stage.text;
      object["sources"] = stage.sources;
    }
    stages.push_back(std::move(object));
  }
  return stages;
}

static json messagesToJson(const ReportKernel &kernel) {
  json messages = json::array();
  for (const ReportMessage &message : kernel.messages)
    messages.push_back({{"severity", message.severity},
                        {"file", message.file},
                        {"line", message.line},
                        {"column", message.column},
                        {"message", message.text},
                        {"notes", message.notes}});
  return messages;
}

static json checkToJson(const OutputComparison &comparison) {
  if (!comparison.fault.empty())
    return {{"ok", false}, {"fault", comparison.fault}};
  json object = {{"ok", comparison.mismatches == 0},
                 {"mismatches", comparison.mismatches},
                 {"max_abs_error", comparison.maxAbsError},
                 {"absolute_tolerance", comparison.absoluteTolerance},
                 {"relative_tolerance", comparison.relativeTolerance}};
  const auto element = [](const std::vector<int64_t> &at, double actual, double expected) {
    return json{{"at", at}, {"actual", actual}, {"expected", expected}};
  };
  if (comparison.mismatches > 0) {
    object["first"] =
        element(comparison.firstMismatch, comparison.firstActual, comparison.firstExpected);
    object["worst"] = element(comparison.worst, comparison.worstActual, comparison.worstExpected);
  }
  return object;
}

static json cpuRunToJson(const ReportCpuRun &run) {
  json outputs = json::array();
  for (const ReportOutput &output : run.outputs) {
    outputs.push_back({{"name", output.name},
                       {"dtype", output.dtype},
                       {"shape", output.shape},
                       {"least", output.summary.least},
                       {"mean", output.summary.mean},
                       {"most", output.summary.most},
                       {"finite", output.summary.numFinite},
                       {"nan", output.summary.numNan},
                       {"infinite", output.summary.numInfinite},
                       {"unwritten", output.summary.numUnwritten}});
    if (output.comparison)
      outputs.back()["expected"] = checkToJson(*output.comparison);
  }
  return {{"ok", run.ok}, {"ms", run.ms}, {"programs", run.programs}, {"outputs", outputs}};
}

static json programsToJson(const ReportKernel &kernel) {
  json arrays = json::array();
  for (const ReportArray &array : kernel.arrays)
    arrays.push_back(
        {{"argument", array.title}, {"programs", array.programs}, {"touched", array.touched}});
  return {{"note", kernel.programsNote}, {"arguments", std::move(arrays)}};
}

static json hintsToJson(const ReportKernel &kernel) {
  json hints = json::array();
  for (const ReportHint &hint : kernel.hints)
    hints.push_back({{"rank", hint.rank},
                     {"kind", hint.kind},
                     {"line", hint.line},
                     {"message", hint.text},
                     {"evidence", hint.evidence},
                     {"gain", hint.gain},
                     {"advice", hint.advice}});
  return hints;
}

static json conversionsToJson(const ReportKernel &kernel) {
  json conversions = json::array();
  for (const ReportConversion &conversion : kernel.conversions)
    conversions.push_back({{"line", conversion.line},
                           {"conversion", conversion.title},
                           {"cost", conversion.cost},
                           {"elements", conversion.moves},
                           {"in_loop", conversion.isInLoop},
                           {"executions", conversion.executions},
                           {"reason", conversion.reason}});
  return conversions;
}

static json accessesToJson(const ReportKernel &kernel) {
  json accesses = json::array();
  for (const ReportAccess &access : kernel.accesses) {
    json object = {{"line", access.line}, {"access", access.title}, {"reason", access.reason}};
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

static json sharedToJson(const ReportKernel &kernel) {
  json buffers = json::array();
  for (const ReportSharedBuffer &buffer : kernel.sharedBuffers)
    buffers.push_back({{"line", buffer.line},
                       {"what", buffer.title},
                       {"offset", buffer.offset},
                       {"bytes", buffer.bytes},
                       {"life", buffer.life}});
  return buffers;
}

static json loopsToJson(const ReportKernel &kernel) {
  json loops = json::array();
  for (const ReportLoop &loop : kernel.loops)
    loops.push_back({{"line", loop.line},
                     {"pipelined", loop.isPipelined},
                     {"what", loop.title},
                     {"text", loop.text}});
  return loops;
}

static json liveToJson(const ReportKernel &kernel) {
  json values = json::array();
  for (const ReportLiveValue &value : kernel.liveValues)
    values.push_back({{"line", value.line},
                      {"name", value.name},
                      {"registers", value.registers},
                      {"which", value.which}});
  return {{"of", kernel.liveOf}, {"values", std::move(values)}};
}

static json kernelToJson(const ReportKernel &kernel) {
  json passes = json::array();
  for (const ReportPass &pass : kernel.passes)
    passes.push_back(
        {{"stage", pass.stage}, {"name", pass.name}, {"ms", pass.ms}, {"changed", pass.changed}});
  json resources = json::object();
  auto resource = [&](const char *name, const std::optional<int64_t> &value) {
    if (value)
      resources[name] = *value;
  };
  resource("registers", kernel.registers);
  resource("shared_bytes", kernel.sharedBytes);
  resource("spill_bytes", kernel.spillBytes);
  resource("threads", kernel.threads);
  json object = {{"kernel", kernel.kernel},
                 {"path", kernel.path},
                 {"source", kernel.source},
                 {"target", kernel.target},
                 {"signature", textsToJson(kernel.signature)},
                 {"constexprs", textsToJson(kernel.constexprs)},
                 {"options", textsToJson(kernel.options)},
                 {"ok", kernel.compiled},
                 {"total_ms", kernel.compileMs},
                 {"stages", stagesToJson(kernel)},
                 {"passes", std::move(passes)},
                 {"diagnostics", messagesToJson(kernel)},
                 {"resources", std::move(resources)}};
  // JSON is UTF-8: of other texts it has an approximation, and the bytes.
  if (firstInvalidUtf8(kernel.source))
    object["source_base64"] = encodeBase64(kernel.source);
  if (!kernel.hints.empty())
    object["hints"] = hintsToJson(kernel);
  if (!kernel.accesses.empty())
    object["memory"] = accessesToJson(kernel);
  if (!kernel.sharedBuffers.empty())
    object["shared_memory"] = sharedToJson(kernel);
  if (!kernel.loops.empty())
    object["loops"] = loopsToJson(kernel);
  if (!kernel.liveValues.empty())
    object["live_registers"] = liveToJson(kernel);
  if (!kernel.conversions.empty())
    object["conversions"] = conversionsToJson(kernel);
  if (!kernel.arrays.empty())
    object["programs"] = programsToJson(kernel);
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
  if (!kernel.measurementMissing.empty())
    object["measurement_missing"] = kernel.measurementMissing;
  return object;
}

std::string jsonReport(const ReportData &data) {
  json kernels = json::array();
  for (const ReportKernel &kernel : data.kernels)
    kernels.push_back(kernelToJson(kernel));
  json object = {{"title", data.title},
                 {"generator", data.generator},
                 {"created", data.created},
                 {"environment", textsToJson(data.environment)},
                 {"kernels", std::move(kernels)}};
  return object.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

std::string markdown(std::string_view text) {
  std::string result;
  for (char c : text) {
    if (std::string_view("\\`*_{}[]<>#|~!&").find(c) != std::string_view::npos)
      result += '\\';
    result += uint8_t(c) < 0x20 || c == 0x7f ? ' ' : c;
  }
  return result;
}

/// A block of code. Its fence is longer than any run of backticks inside.
static std::string codeBlock(const std::string &language, const std::string &code) {
  size_t longest = 2, run = 0;
  for (char c : code) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  return "\n" + fence + language + "\n" + code + (code.ends_with('\n') ? "" : "\n") + fence + "\n";
}

static std::string markdownTable(const std::vector<NamedText> &rows) {
  if (rows.empty())
    return "";
  std::string text = "| | |\n| --- | --- |\n";
  for (const auto &[name, value] : rows)
    text += "| " + markdown(name) + " | " + markdown(value) + " |\n";
  return text + "\n";
}

static std::string verdict(const OutputResult &output) {
  if (!output.comparison)
    return "not compared";
  if (!output.comparison->fault.empty())
    return output.comparison->fault;
  if (output.comparison->ok())
    return fmt::format("matches, largest error {:.3g}; {}", output.comparison->maxAbsError,
                       toleranceText(*output.comparison));
  return fmt::format("{} mismatches, first at [{}]", output.comparison->mismatches,
                     fmt::join(output.comparison->firstMismatch, ", "));
}

static std::vector<NamedText> measurementRows(const Measurement &measurement) {
  std::vector<NamedText> rows = {{"device", measurement.device.name}};
  if (measurement.timeUs)
    rows.emplace_back("time",
                      fmt::format("{:.3f} us, median of {} ({} L2)", measurement.timeUs->median,
                                  measurement.timeUs->n, measurement.coldL2 ? "cold" : "warm"));
  if (measurement.gbPerS)
    rows.emplace_back("memory", fmt::format("{:.1f} GB/s", *measurement.gbPerS));
  if (measurement.peakFraction)
    rows.emplace_back("of peak", fmt::format("{:.1f} %", *measurement.peakFraction * 100));
  if (measurement.tflopPerS)
    rows.emplace_back("compute", fmt::format("{:.3f} TFLOP/s", *measurement.tflopPerS));
  if (measurement.occupancy)
    rows.emplace_back("occupancy",
                      fmt::format("{:.0f} %, limited by {}", measurement.occupancy->fraction * 100,
                                  measurement.occupancy->limiter));
  return rows;
}

/// What the interpreter left in the outputs, beside what the launch block expects.
static std::string expectedTable(const ReportCpuRun &run) {
  std::string rows;
  for (const ReportOutput &output : run.outputs)
    if (output.comparison)
      rows += fmt::format("| {} | {}[{}] | {} |\n", markdown(output.name), markdown(output.dtype),
                          fmt::join(output.shape, ", "), markdown(expectedVerdict(output)));
  return rows.empty() ? ""
                      : "\n| argument | type | compared with what is expected |\n| --- | --- | --- "
                        "|\n" +
                            rows;
}

/// One line on the run in the interpreter.
static std::string cpuRunText(const ReportCpuRun &run) {
  const DifferenceTotals totals = expectedDifferences(run);
  const std::string verdict = !run.ok              ? ", with faults"
                              : !totals.mismatches ? ""
                              : totals.outputs.empty()
                                  ? ", as expected"
                                  : ", but differs from what is expected: " + totals.outputs;
  return fmt::format("{} in {:.1f} ms{}", counted(run.programs, "program"), run.ms, verdict);
}

static std::string hintsMarkdown(const ReportKernel &kernel) {
  if (kernel.hints.empty())
    return "";
  std::string text = "\n### Hints\n\n| rank | line | what | gain | try |\n"
                     "| ---: | ---: | --- | --- | --- |\n";
  for (const ReportHint &hint : kernel.hints)
    text += fmt::format("| {} | {} | {} | {} | {} |\n", hint.rank,
                        hint.line > 0 ? std::to_string(hint.line) : "", markdown(hint.text),
                        markdown(hint.gain), markdown(hint.advice));
  return text;
}

static std::string conversionsMarkdown(const ReportKernel &kernel) {
  if (kernel.conversions.empty())
    return "";
  std::string text =
      "\n### Conversions between layouts\n\nOf " + markdown(kernel.accessesOf) +
      ", those in loops first.\n\n| line | conversion | cost | elements | executions "
      "| why |\n| --- | --- | --- | --- | --- | --- |\n";
  for (const ReportConversion &conversion : kernel.conversions)
    text += fmt::format("| {} | {}{} | {} | {} | {} | {} |\n", conversion.line,
                        markdown(conversion.title), conversion.isInLoop ? ", in a loop" : "",
                        markdown(conversion.cost), markdown(conversion.moves),
                        conversion.executions, markdown(conversion.reason));
  return text;
}

static std::string accessesMarkdown(const ReportKernel &kernel) {
  if (kernel.accesses.empty())
    return "";
  std::string text = "\n### Memory accesses\n\nOf " + markdown(kernel.accessesOf) +
                     ", the most wasteful first.\n\n| line | access | a lane | requests | moved | "
                     "used | width |\n| --- | --- | --- | --- | --- | --- | --- |\n";
  for (const ReportAccess &access : kernel.accesses) {
    const std::string head = fmt::format("| {} | {} |", access.line, markdown(access.title));
    text += access.isCounted ? fmt::format("{} {} B | {} | {} | {} | {} |\n", head,
                                           access.vectorBytes, access.requests, movedText(access),
                                           usedText(access), markdown(access.reason))
                             : fmt::format("{} | | | | {} |\n", head, markdown(access.reason));
  }
  return text;
}

static std::string sharedMarkdown(const ReportKernel &kernel) {
  if (kernel.sharedBuffers.empty())
    return "";
  std::string text = "\n### Shared memory\n\n" + markdown(kernel.sharedOf) +
                     ".\n\n| line | what | offset | bytes | needed in |\n"
                     "| --- | --- | --- | --- | --- |\n";
  for (const ReportSharedBuffer &buffer : kernel.sharedBuffers)
    text += fmt::format("| {} | {} | {} | {} | {} |\n", buffer.line, markdown(buffer.title),
                        buffer.offset, buffer.bytes, markdown(buffer.life));
  return text;
}

static std::string loopsMarkdown(const ReportKernel &kernel) {
  if (kernel.loops.empty())
    return "";
  std::string text = "\n### Loops\n\n| line | pipeline | what runs beside what |\n"
                     "| --- | --- | --- |\n";
  for (const ReportLoop &loop : kernel.loops)
    text += fmt::format("| {} | {} | {} |\n", loop.line > 0 ? std::to_string(loop.line) : "",
                        markdown(loop.title), markdown(loop.text));
  return text;
}

static std::string registersMarkdown(const ReportKernel &kernel) {
  if (kernel.liveValues.empty())
    return "";
  std::string text = "\n### Registers\n\n" + markdown(kernel.liveOf) +
                     "\n\n| line | value | registers |\n| --- | --- | --- |\n";
  for (const ReportLiveValue &value : kernel.liveValues)
    text += fmt::format("| {} | {} | {} |\n", value.line > 0 ? std::to_string(value.line) : "",
                        markdown(value.name), value.registers);
  return text;
}

static std::string kernelMarkdown(const ReportKernel &kernel) {
  std::string text = "## " + markdown(kernel.kernel) + "\n\n" + markdown(kernel.path) + ", " +
                     markdown(kernel.target) +
                     (kernel.launchTitle.empty() ? "" : ", " + markdown(kernel.launchTitle)) +
                     "\n\n";
  if (const std::string leftOut = launchesLeftOut(kernel); !leftOut.empty())
    text += markdown(leftOut) + "\n\n";
  std::vector<NamedText> rows = {
      {"compiled",
       fmt::format("{} in {:.1f} ms", kernel.compiled ? "yes" : "no", kernel.compileMs)}};
  auto add = [&](const char *name, const std::optional<int64_t> &value, const char *unit) {
    if (value)
      rows.emplace_back(name, fmt::format("{}{}", *value, unit));
  };
  add("registers", kernel.registers, "");
  add("shared memory", kernel.sharedBytes, " B");
  add("spilled", kernel.spillBytes, " B");
  if (kernel.cpuRun)
    rows.emplace_back("interpreted", cpuRunText(*kernel.cpuRun));
  if (kernel.measurement && kernel.measurement->timeUs)
    for (NamedText &row : measurementRows(*kernel.measurement))
      rows.push_back(std::move(row));
  if (!kernel.measurementMissing.empty())
    rows.emplace_back("not measured", kernel.measurementMissing);
  text += markdownTable(rows);
  for (const ReportMessage &message : kernel.messages)
    text += fmt::format("- {}:{}:{}: {}: {}\n", markdown(message.file), message.line,
                        message.column, markdown(message.severity), markdown(message.text));
  if (kernel.cpuRun)
    text += expectedTable(*kernel.cpuRun);
  if (kernel.measurement && !kernel.measurement->outputs.empty()) {
    text += "\n| argument | type | compared with the interpreter |\n| --- | --- | --- |\n";
    for (const OutputResult &output : kernel.measurement->outputs)
      text += fmt::format("| {} | {}[{}] | {} |\n", markdown(output.name), markdown(output.dtype),
                          fmt::join(output.shape, ", "), markdown(verdict(output)));
  }
  text += profileMarkdown(kernel) + hintsMarkdown(kernel) + accessesMarkdown(kernel) +
          sharedMarkdown(kernel) + loopsMarkdown(kernel) + registersMarkdown(kernel) +
          conversionsMarkdown(kernel) + codeBlock("python", kernel.source);
  for (const ReportStage &stage : kernel.stages)
    if (stage.id == "ttir" || stage.id == "ttgir")
      text += "\n### " + markdown(stage.title) + "\n" + codeBlock("mlir", stage.text);
  return text + "\n";
}

std::string markdownReport(const ReportData &data) {
  std::string text = "# " + markdown(data.title) + "\n\n" + markdown(data.generator) + ", " +
                     markdown(data.created) + "\n\n";
  for (const ReportKernel &kernel : data.kernels)
    text += kernelMarkdown(kernel);
  return text + "## Environment\n\n" + markdownTable(data.environment);
}

/// Text as a field that spreadsheets show. Cells that begin like a formula get an apostrophe before
/// them, which means "this is text".
static std::string csvField(const std::string &text) {
  const bool isFormula =
      !text.empty() && std::string_view("=+-@\t\r").find(text[0]) != std::string_view::npos;
  const std::string shown = (isFormula ? "'" : "") + text;
  if (shown.find_first_of(",;\"\r\n") == std::string::npos)
    return shown;
  std::string result = "\"";
  for (char c : shown)
    result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + "\"";
}

template <typename T> static std::string csvNumber(const std::optional<T> &value) {
  return value ? fmt::format("{}", *value) : "";
}

std::string csvReport(const ReportData &data) {
  std::string text = "path,kernel,target,compiled,compile_ms,registers,shared_bytes,spill_bytes,"
                     "device,time_us_median,time_us_min,time_us_max,launches,bytes,flops,gb_per_s,"
                     "tflop_per_s,peak_fraction,mismatches,differing_outputs,worst_difference\n";
  for (const ReportKernel &kernel : data.kernels) {
    Measurement measurement = kernel.measurement.value_or(Measurement());
    std::optional<double> median, least, most;
    std::optional<int64_t> launches;
    if (measurement.timeUs) {
      median = measurement.timeUs->median;
      least = measurement.timeUs->min;
      most = measurement.timeUs->max;
      launches = measurement.timeUs->n;
    }
    const DifferenceTotals differences = totalDifferences(kernel);
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n",
                        csvField(kernel.path), csvField(kernel.kernel), csvField(kernel.target),
                        kernel.compiled ? "yes" : "no", kernel.compileMs,
                        csvNumber(kernel.registers), csvNumber(kernel.sharedBytes),
                        csvNumber(kernel.spillBytes), csvField(measurement.device.name),
                        csvNumber(median), csvNumber(least), csvNumber(most), csvNumber(launches),
                        csvNumber(measurement.bytes), csvNumber(measurement.flops),
                        csvNumber(measurement.gbPerS), csvNumber(measurement.tflopPerS),
                        csvNumber(measurement.peakFraction), csvNumber(differences.mismatches),
                        csvField(differences.outputs), csvField(differences.worst));
  }
  return text;
}

namespace {
struct ReportForm {
  std::string_view ending;
  std::string (*render)(const ReportData &data);
};
} // namespace

static constexpr ReportForm kForms[] = {{".html", htmlReport},
                                        {".htm", htmlReport},
                                        {".json", jsonReport},
                                        {".md", markdownReport},
                                        {".csv", csvReport}};

static const ReportForm *formOf(std::string_view fileName) {
  const auto *found = std::ranges::find_if(
      kForms, [&](const ReportForm &form) { return fileName.ends_with(form.ending); });
  return found == std::end(kForms) ? nullptr : found;
}

bool isReportName(std::string_view fileName) { return formOf(fileName) != nullptr; }

std::string renderReport(const ReportData &data, std::string_view fileName) {
  const ReportForm *form = formOf(fileName);
  return form ? form->render(data) : jsonReport(data);
}

} // namespace tilescope::profiler
