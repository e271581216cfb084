// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/support/Counted.h"
#include "profiler/analysis/Comparison.h"
#include "profiler/report/Charts.h"
#include "profiler/report/Differences.h"
#include "profiler/report/Highlight.h"
#include "profiler/report/HtmlParts.h"
#include "profiler/report/LaunchWords.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tilescope::profiler {

std::string tableHtml(const std::vector<NamedText> &rows) {
  if (rows.empty())
    return "";
  std::string html = "<table class=\"facts\">";
  for (const auto &[name, value] : rows)
    html += "<tr><th>" + escapeHtml(name) + "</th><td>" + escapeHtml(value) + "</td></tr>";
  return html + "</table>";
}

static std::string card(const std::string &value, const std::string &name,
                        const std::string &detail = "", const char *style = "") {
  return fmt::format("<div class=\"card {}\"><b>{}</b><span>{}</span><small>{}</small></div>",
                     style, value, name, detail);
}

static std::string matchCard(const std::string &reference,
                             const std::optional<DoubtedOutput> &doubted) {
  if (!doubted)
    return card("✓ match", "outputs", reference, "good");
  const char *word = doubted->doubt == MatchDoubt::Tolerance    ? "⚠ loose"
                     : doubted->doubt == MatchDoubt::Order      ? "⚠ one order"
                     : doubted->doubt == MatchDoubt::Unchanged  ? "⚠ unchanged"
                     : doubted->doubt == MatchDoubt::Hang       ? "⚠ can hang"
                     : doubted->doubt == MatchDoubt::Foregone   ? "⚠ as before"
                     : doubted->doubt == MatchDoubt::Zeros      ? "⚠ only zeros"
                     : doubted->doubt == MatchDoubt::Bias       ? "⚠ one way"
                     : doubted->doubt == MatchDoubt::NarrowSums ? "⚠ narrow sums"
                     : doubted->doubt == MatchDoubt::Fractions  ? "⚠ cut off"
                     : doubted->doubt == MatchDoubt::LeftOut    ? "⚠ in part"
                                                                : "⚠ by chance";
  return card(word, "outputs match", escapeHtml(reference + doubted->text), "doubtful");
}

/// One word on whether the run went well and its outputs are right.
static std::string cpuCard(const ReportCpuRun &run) {
  const DifferenceTotals totals = expectedDifferences(run);
  if (!totals.outputs.empty())
    return card(fmt::format("✗ {}", *totals.mismatches), "mismatches", "with what is expected",
                "bad");
  if (!run.ok) {
    const std::optional<DoubtedOutput> doubted = doubtedOutput(run);
    const std::string verdict =
        doubted ? "as expected" + escapeHtml(doubted->text) : "as expected nevertheless";
    return card("✗ failed", "run in the interpreter", totals.mismatches ? verdict : "", "bad");
  }
  return totals.mismatches ? matchCard("with what is expected", doubtedOutput(run)) : "";
}

/// `doubted`: of the run in the interpreter, which finds what a GPU does not.
static std::string deviceCard(const Measurement &measurement,
                              const std::optional<DoubtedOutput> &doubted) {
  int64_t mismatches = 0;
  int compared = 0;
  bool faults = false;
  for (const OutputResult &output : measurement.outputs) {
    if (!output.comparison)
      continue;
    ++compared;
    mismatches += output.comparison->mismatches;
    faults |= !output.comparison->fault.empty();
  }
  if (compared == 0)
    return "";
  if (mismatches == 0 && !faults)
    return matchCard("with the interpreter", doubted ? doubted : doubtedOutput(measurement));
  return card(fmt::format("✗ {}", mismatches), "mismatches", "with the interpreter", "bad");
}

static std::string checkCards(const ReportKernel &kernel) {
  std::optional<DoubtedOutput> doubted;
  if (kernel.cpuRun)
    doubted = doubtedOutput(*kernel.cpuRun);
  return (kernel.cpuRun ? cpuCard(*kernel.cpuRun) : "") +
         (kernel.measurement ? deviceCard(*kernel.measurement, doubted) : "");
}

static std::string timeCards(const Measurement &measurement) {
  std::string html;
  if (measurement.timeUs)
    html += card(fmt::format("{:.2f} µs", measurement.timeUs->median), "median time",
                 fmt::format("{}, {} L2", launchCount(measurement.timeUs->n),
                             measurement.coldL2 ? "cold" : "warm"));
  if (measurement.gbPerS)
    html += card(fmt::format("{:.0f} GB/s", *measurement.gbPerS), "memory, stated bytes",
                 measurement.peakFraction
                     ? fmt::format("{:.0f} % of peak bandwidth", *measurement.peakFraction * 100)
                     : "");
  if (measurement.tflopPerS)
    html += card(fmt::format("{:.3g} TFLOP/s", *measurement.tflopPerS), "compute");
  return html;
}

std::string factsHtml(const ReportKernel &kernel) {
  std::string html;
  if (kernel.measurement)
    html += timeCards(*kernel.measurement);
  html += checkCards(kernel);
  auto number = [](std::optional<int64_t> value) { return value ? fmt::format("{}", *value) : ""; };
  if (kernel.registers)
    html += card(number(kernel.registers), "registers", "per thread");
  if (kernel.sharedBytes)
    html += card(number(kernel.sharedBytes) + " B", "shared memory", "per program");
  if (kernel.spillBytes)
    html += card(number(kernel.spillBytes) + " B", "spilled", "per thread",
                 *kernel.spillBytes > 0 ? "bad" : "");
  const auto &occupancy = kernel.measurement && kernel.measurement->occupancy
                              ? kernel.measurement->occupancy
                              : kernel.occupancy;
  if (occupancy)
    html += card(fmt::format("{} %", std::lround(occupancy->fraction * 100)), "occupancy",
                 "limited by " + escapeHtml(occupancy->limiter));
  // Of what another tool has recorded, nothing was compiled here.
  if (kernel.compileMs > 0 || !kernel.compiled)
    html += card(fmt::format("{:.1f} ms", kernel.compileMs), "compile time",
                 kernel.compiled ? "" : "failed", kernel.compiled ? "" : "bad");
  return "<div class=\"cards\">" + html + "</div>";
}

static std::string argumentText(const PlanArgument &argument) {
  if (const PlanTensor *tensor = argument.tensor()) {
    std::string text =
        fmt::format("{}[{}]", dtypeName(tensor->dtype), fmt::join(tensor->shape, ", "));
    bool random = tensor->init.kind == TensorInit::Kind::Rand ||
                  tensor->init.kind == TensorInit::Kind::Randn ||
                  tensor->init.kind == TensorInit::Kind::Randint ||
                  tensor->init.kind == TensorInit::Kind::Offsets;
    if (tensor->init.kind == TensorInit::Kind::Poison)
      return text + ", output";
    return text + ", " + std::string(initName(tensor->init.kind)) +
           (random ? fmt::format(", seed {}", tensor->init.seed) : "");
  }
  const PlanScalar &scalar = *argument.scalar();
  return std::visit([&](auto value) { return fmt::format("{} ({})", value, scalar.type); },
                    scalar.value);
}

static std::string block(const char *title, const std::string &body) {
  return body.empty() ? "" : fmt::format("<div class=\"block\"><h4>{}</h4>{}</div>", title, body);
}

std::string launchHtml(const ReportKernel &kernel) {
  std::vector<NamedText> launch = {{"target", kernel.target}};
  std::vector<NamedText> arguments;
  if (kernel.plan) {
    launch.emplace_back("grid", fmt::format("{}", fmt::join(kernel.plan->grid, " × ")));
    for (const PlanArgument &argument : kernel.plan->args)
      arguments.emplace_back(argument.name, argumentText(argument));
  }
  if (kernel.threads)
    launch.emplace_back("threads per program", std::to_string(*kernel.threads));
  launch.insert(launch.end(), kernel.options.begin(), kernel.options.end());
  std::string html = block("Launch", tableHtml(launch)) + block("Arguments", tableHtml(arguments)) +
                     block("Signature", tableHtml(kernel.signature)) +
                     block("Compile-time values", tableHtml(kernel.constexprs));
  for (const std::string &assumption : kernel.assumptions)
    html += "<p class=\"hint\">" + escapeHtml(assumption) + "</p>";
  return "<h3>Launch</h3><div class=\"blocks\">" + html + "</div>";
}

static std::string comparisonCells(const OutputResult &output) {
  if (!output.comparison)
    return "<td class=\"missing\" colspan=\"4\">not compared</td>";
  const OutputComparison &comparison = *output.comparison;
  if (!comparison.fault.empty())
    return "<td class=\"bad\" colspan=\"4\">" + escapeHtml(comparison.fault) + "</td>";
  std::string verdict =
      comparison.ok()
          ? "<td class=\"good\">✓ matches; " + escapeHtml(toleranceText(comparison)) + "</td>"
          : fmt::format(
                "<td class=\"bad\">✗ {} mismatches, first at [{}]: {:.6g} instead of {:.6g}; "
                "{}</td>",
                comparison.mismatches, fmt::join(comparison.firstMismatch, ", "),
                withoutNanSign(comparison.firstActual), withoutNanSign(comparison.firstExpected),
                escapeHtml(toleranceText(comparison)));
  return fmt::format("<td>{:.3g}</td><td>{:.3g}</td><td>{:.3g}</td>{}", comparison.maxAbsError,
                     comparison.maxRelError, comparison.relErrorInNorm, verdict);
}

static std::string outputsTable(const Measurement &measurement) {
  std::string rows;
  for (const OutputResult &output : measurement.outputs)
    rows += fmt::format("<tr><td>{}</td><td>{}[{}]</td><td>{}</td>{}</tr>", escapeHtml(output.name),
                        escapeHtml(output.dtype), fmt::join(output.shape, ", "),
                        output.changed ? "written" : "unchanged", comparisonCells(output));
  if (rows.empty())
    return "";
  return "<h4>Arguments after the device's run, compared with the interpreter's</h4><table "
         "class=\"grid\"><tr><th>argument</th>"
         "<th>type</th><th></th><th>max abs error</th><th>max rel error</th><th>rel error in norm"
         "</th><th>verdict</th></tr>" +
         rows + "</table>";
}

static std::string timesTable(const Measurement &measurement) {
  std::vector<NamedText> rows = {{"device", measurement.device.name}};
  if (const auto &time = measurement.timeUs) {
    rows.emplace_back("median", fmt::format("{:.3f} µs", time->median));
    rows.emplace_back("range", fmt::format("{:.3f} to {:.3f} µs", time->min, time->max));
    rows.emplace_back("timed launches", time->spread > 0
                                            ? fmt::format("{} (median known to ±{:.2f} %)", time->n,
                                                          time->spread * 100)
                                            : std::to_string(time->n));
    rows.emplace_back("L2 cache", measurement.coldL2 ? "flushed before each launch" : "warm");
    rows.emplace_back("clock", measurement.timeSource == TimeSource::Cupti
                                   ? "CUPTI activity records"
                                   : "CUDA events (include launch overhead)");
  }
  if (const auto &overhead = measurement.launchOverhead) {
    rows.emplace_back("launch, the driver's call", fmt::format("{:.2f} µs", overhead->callUs));
    rows.emplace_back("launch, a lone one beyond the kernel",
                      fmt::format("{:.2f} µs", overhead->aloneUs));
  }
  if (measurement.bytes)
    rows.emplace_back("bytes, as the launch block states",
                      fmt::format("{:.0f}", *measurement.bytes));
  if (measurement.flops)
    rows.emplace_back("operations, as the launch block states",
                      fmt::format("{:.0f} FLOP", *measurement.flops));
  if (measurement.gbPerS && measurement.copyGbPerS)
    rows.emplace_back("of a measured copy",
                      fmt::format("{:.1f} %", *measurement.gbPerS / *measurement.copyGbPerS * 100));
  if (const auto &occupancy = measurement.occupancy)
    rows.emplace_back("occupancy", fmt::format("{} of {} warps per multiprocessor, limited by {}",
                                               occupancy->warpsPerSm, occupancy->maxWarpsPerSm,
                                               occupancy->limiter));
  return tableHtml(rows);
}

static std::string chartBlock(const char *title, const std::string &svg) {
  return svg.empty() ? "" : block(title, svg);
}

/// Whether an output is what the launch block expects.
static std::string checkCell(const ReportOutput &output) {
  if (!output.comparison)
    return "<td class=\"missing\">not stated</td>";
  const OutputComparison &comparison = *output.comparison;
  if (!comparison.fault.empty())
    return "<td class=\"missing\">" + escapeHtml(comparison.fault) + "</td>";
  return fmt::format("<td class=\"{}\">{}</td>", comparison.ok() ? "good" : "bad",
                     escapeHtml(expectedVerdict(output)));
}

static std::string summaryTable(const ReportCpuRun &run) {
  std::string rows;
  for (const ReportOutput &output : run.outputs) {
    const TensorSummary &summary = output.summary;
    rows += fmt::format("<tr><td>{}</td><td>{}[{}]</td>", escapeHtml(output.name),
                        escapeHtml(output.dtype), fmt::join(output.shape, ", "));
    rows += summary.numFinite > 0 ? fmt::format("<td>{:.6g}</td><td>{:.6g}</td><td>{:.6g}</td>",
                                                summary.least, summary.mean, summary.most)
                                  : "<td colspan=\"3\" class=\"missing\">no finite element</td>";
    auto count = [](int64_t number, const char *style) {
      return fmt::format("<td class=\"{}\">{}</td>", number > 0 ? style : "", number);
    };
    rows += count(summary.numNan, "bad") + count(summary.numInfinite, "bad") +
            count(summary.numUnwritten, "missing") + checkCell(output) + "</tr>";
  }
  if (rows.empty())
    return "";
  return "<h4>Arguments after the interpreter's run</h4><table class=\"grid\"><tr><th>argument</th>"
         "<th>type</th><th>min</th><th>mean</th><th>max</th><th>NaN</th><th>infinite</th>"
         "<th>never written</th><th>expected</th></tr>" +
         rows + "</table>";
}

std::string resultsHtml(const ReportKernel &kernel) {
  std::string html;
  if (kernel.cpuRun)
    html += fmt::format("<p>The interpreter ran {} in {:.1f} ms{}.</p>",
                        counted(kernel.cpuRun->programs, "program"), kernel.cpuRun->ms,
                        kernel.cpuRun->ok ? "" : " and found faults, see Problems");
  if (kernel.cpuRun && !kernel.cpuRun->printed.empty())
    html += "<pre>" + escapeHtml(kernel.cpuRun->printed) + "</pre>";
  if (kernel.cpuRun)
    html += summaryTable(*kernel.cpuRun);
  if (!kernel.measurementMissing.empty())
    html += "<p class=\"missing\">Not measured: " + escapeHtml(kernel.measurementMissing) + "</p>";
  if (const auto &measurement = kernel.measurement) {
    html += outputsTable(*measurement);
    html += "<div class=\"blocks\">";
    // Without times there was no device: the outputs are all there is.
    if (measurement->timeUs) {
      html += block("Measurement", timesTable(*measurement));
      html += chartBlock("Memory bandwidth", bandwidthChart(*measurement));
      html += chartBlock("Roofline", rooflineChart(*measurement));
      html += chartBlock("Times", timeHistogram(*measurement->timeUs));
    }
    html += "</div>";
    for (const std::string &note : measurement->notes)
      html += "<p class=\"hint\">" + escapeHtml(note) + "</p>";
  }
  return html.empty() ? "" : "<h3>Results</h3>" + html;
}

std::string compilationHtml(const ReportKernel &kernel) {
  if (kernel.stages.empty())
    return "";
  double most = 0;
  for (const ReportStage &stage : kernel.stages)
    most = std::max(most, stage.ms);
  std::string rows;
  for (const ReportStage &stage : kernel.stages) {
    auto changed = std::count_if(kernel.passes.begin(), kernel.passes.end(), [&](const auto &pass) {
      return pass.stage == stage.id && pass.changed;
    });
    auto all = std::count_if(kernel.passes.begin(), kernel.passes.end(),
                             [&](const auto &pass) { return pass.stage == stage.id; });
    rows += fmt::format(
        "<tr><th>{}</th><td class=\"num\">{:.2f} ms</td><td><span class=\"meter\" "
        "style=\"width:{:.1f}%\"></span></td><td>{}</td></tr>",
        escapeHtml(stage.title), stage.ms, most > 0 ? stage.ms / most * 100 : 0,
        all ? fmt::format("{} {}, {} changed something", all, all == 1 ? "pass" : "passes", changed)
            : "");
  }
  std::string passes;
  for (const ReportPass &pass : kernel.passes)
    if (pass.changed)
      passes += fmt::format("<tr><td>{}</td><td>{}</td><td class=\"num\">{:.3f} ms</td></tr>",
                            escapeHtml(pass.stage), escapeHtml(pass.name), pass.ms);
  if (!passes.empty())
    passes = "<details><summary>Passes that changed something</summary><table class=\"grid\">" +
             passes + "</table></details>";
  return "<h3>Compilation</h3><table class=\"stages\">" + rows + "</table>" + passes;
}

} // namespace tilescope::profiler
