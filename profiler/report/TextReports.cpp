// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/support/Counted.h"
#include "profiler/analysis/Comparison.h"
#include "profiler/report/AccessWords.h"
#include "profiler/report/CsvParts.h"
#include "profiler/report/Differences.h"
#include "profiler/report/LaunchWords.h"
#include "profiler/report/MarkdownParts.h"
#include "profiler/report/ReportComparison.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tilescope::profiler {

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
  if (const auto &overhead = measurement.launchOverhead)
    rows.emplace_back("launch", fmt::format("{:.2f} us of the call; a lone one takes {:.2f} us "
                                            "beyond the kernel",
                                            overhead->callUs, overhead->aloneUs));
  if (measurement.gbPerS)
    rows.emplace_back("memory, stated bytes", fmt::format("{:.1f} GB/s", *measurement.gbPerS));
  if (measurement.peakFraction)
    rows.emplace_back("of the peak bandwidth",
                      fmt::format("{:.1f} %", *measurement.peakFraction * 100));
  if (measurement.tflopPerS)
    rows.emplace_back("compute", fmt::format("{:.3f} TFLOP/s", *measurement.tflopPerS));
  if (measurement.occupancy)
    rows.emplace_back("occupancy", fmt::format("{} %, limited by {}",
                                               std::lround(measurement.occupancy->fraction * 100),
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
  const std::optional<DoubtedOutput> doubted = doubtedOutput(run);
  const std::string verdict = !run.ok              ? ", with faults"
                              : !totals.mismatches ? ""
                              : totals.outputs.empty()
                                  ? ", as expected" + (doubted ? doubted->text : "")
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
  std::vector<NamedText> rows;
  // Of what another tool has recorded, nothing was compiled here.
  if (!kernel.stages.empty() || !kernel.compiled)
    rows.emplace_back("compiled", fmt::format("{} in {:.1f} ms", kernel.compiled ? "yes" : "no",
                                              kernel.compileMs));
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
          conversionsMarkdown(kernel);
  if (!kernel.source.empty())
    text += codeBlock(kernel.isPython ? "python" : "mlir", kernel.source);
  for (const ReportStage &stage : kernel.stages)
    if (stage.id == "ttir" || stage.id == "ttgir")
      text += "\n### " + markdown(stage.title) + "\n" + codeBlock("mlir", stage.text);
  return text + "\n";
}

std::string markdownReport(const ReportData &data) {
  std::string text = "# " + markdown(data.title) + "\n\n" + markdown(data.generator) + ", " +
                     markdown(data.created) + "\n\n" + comparisonMarkdown(data);
  for (const ReportKernel &kernel : data.kernels)
    text += kernelMarkdown(kernel);
  return data.environment.empty() ? text
                                  : text + "## Environment\n\n" + markdownTable(data.environment);
}

std::string csvField(const std::string &text) {
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
    text += fmt::format(
        "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", csvField(kernel.path),
        csvField(kernel.kernel), csvField(kernel.target), kernel.compiled ? "yes" : "no",
        kernel.compileMs > 0 ? fmt::format("{}", kernel.compileMs) : "",
        csvNumber(kernel.registers), csvNumber(kernel.sharedBytes), csvNumber(kernel.spillBytes),
        csvField(measurement.device.name), csvNumber(median), csvNumber(least), csvNumber(most),
        csvNumber(launches), csvNumber(measurement.bytes), csvNumber(measurement.flops),
        csvNumber(measurement.gbPerS), csvNumber(measurement.tflopPerS),
        csvNumber(measurement.peakFraction), csvNumber(differences.mismatches),
        csvField(differences.outputs), csvField(differences.worst));
  }
  return text;
}

} // namespace tilescope::profiler
