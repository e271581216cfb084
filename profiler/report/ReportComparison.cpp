// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/report/ReportComparison.h"

#include "compiler/support/Text.h"
#include "profiler/data/Metric.h"
#include "profiler/report/Differences.h"
#include "profiler/report/Highlight.h"
#include "profiler/report/MarkdownParts.h"
#include "profiler/report/StageDifference.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <set>

namespace tilescope::profiler {

using Number = std::optional<double>;
using Show = std::function<std::string(double)>;

/// `+12.3 %`, with a minus that is as wide as the plus.
static std::string percentChange(double before, double after) {
  const double percent = (after / before - 1) * 100;
  if (!std::isfinite(percent))
    return "";
  return fmt::format("{}{:.1f} %", percent < 0 ? "−" : "+", std::abs(percent));
}

static void addNumber(const std::string &name, Number before, Number after, const Show &show,
                      std::vector<ComparedFigure> &figures) {
  if (!before && !after)
    return;
  ComparedFigure figure{name, before ? show(*before) : "", after ? show(*after) : "", "", false};
  if (before && after && figure.before != figure.after) {
    figure.change = percentChange(*before, *after);
    figure.isChanged = true;
  }
  figures.push_back(std::move(figure));
}

static void addText(const std::string &name, const std::string &before, const std::string &after,
                    std::vector<ComparedFigure> &figures) {
  if (!before.empty() || !after.empty())
    figures.push_back({name, before, after, "", before != after});
}

static Show unit(const char *unit, int digits) {
  return [unit, digits](double value) { return fmt::format("{:.{}f}{}", value, digits, unit); };
}

/// The times with their uncertainty: a difference that is smaller is none.
static void addTimes(const Measurement &before, const Measurement &after,
                     std::vector<ComparedFigure> &figures) {
  const std::optional<TimeStats> &a = before.timeUs, &b = after.timeUs;
  addNumber("time", a ? Number(a->median) : std::nullopt, b ? Number(b->median) : std::nullopt,
            unit(" µs", 2), figures);
  if (!a || !b || figures.empty())
    return;
  const double uncertain = a->spread * a->median + b->spread * b->median;
  if (uncertain > 0 && std::abs(a->median - b->median) < uncertain) {
    figures.back().change += ", less than what is uncertain";
    figures.back().isChanged = false;
  }
}

static void addCounters(const Measurement &before, const Measurement &after,
                        std::vector<ComparedFigure> &figures) {
  std::set<std::string_view> seen;
  for (const Metric &metric : metricTable()) {
    if (metric.section == MetricSection::Roofline || !seen.insert(metric.id).second)
      continue;
    const auto value = [&](const Measurement &each) {
      return each.counters ? metricValue(*each.counters, metric.id) : std::nullopt;
    };
    addNumber(
        std::string(metric.label), value(before), value(after),
        [&](double number) { return formatMetric(metric.unit, number); }, figures);
  }
}

static void addMeasurement(const ReportKernel &before, const ReportKernel &after,
                           std::vector<ComparedFigure> &figures) {
  const Measurement none;
  const Measurement &a = before.measurement ? *before.measurement : none;
  const Measurement &b = after.measurement ? *after.measurement : none;
  addText("device", a.device.name, b.device.name, figures);
  addTimes(a, b, figures);
  addNumber("memory", a.gbPerS, b.gbPerS, unit(" GB/s", 1), figures);
  addNumber("compute", a.tflopPerS, b.tflopPerS, unit(" TFLOP/s", 3), figures);
  const auto percent = [](const Number &share) {
    return share ? Number(*share * 100) : std::nullopt;
  };
  addNumber("of the peak bandwidth", percent(a.peakFraction), percent(b.peakFraction),
            unit(" %", 1), figures);
}

static void addResources(const ReportKernel &before, const ReportKernel &after,
                         std::vector<ComparedFigure> &figures) {
  const auto add = [&](const char *name, std::optional<int64_t> ReportKernel::*member,
                       const char *suffix) {
    const auto number = [&](const ReportKernel &kernel) {
      return kernel.*member ? Number(static_cast<double>(*(kernel.*member))) : std::nullopt;
    };
    addNumber(name, number(before), number(after), unit(suffix, 0), figures);
  };
  add("registers", &ReportKernel::registers, "");
  add("shared memory", &ReportKernel::sharedBytes, " B");
  add("spilled", &ReportKernel::spillBytes, " B");
  const auto occupancy = [](const ReportKernel &kernel) {
    const bool isMeasured = kernel.measurement && kernel.measurement->occupancy;
    const auto &known = isMeasured ? kernel.measurement->occupancy : kernel.occupancy;
    return known ? Number(known->fraction * 100) : std::nullopt;
  };
  addNumber("occupancy", occupancy(before), occupancy(after), unit(" %", 0), figures);
  addText("outputs that differ", totalDifferences(before).outputs, totalDifferences(after).outputs,
          figures);
}

/// Options and constexprs in which they differ, unless nothing is known of those of one.
static void addChoices(const std::vector<NamedText> &before, const std::vector<NamedText> &after,
                       std::vector<ComparedFigure> &figures) {
  if (before.empty() || after.empty())
    return;
  std::set<std::string> names;
  for (const auto *texts : {&before, &after})
    for (const auto &[name, value] : *texts)
      names.insert(name);
  const auto find = [](const std::vector<NamedText> &texts, const std::string &name) {
    const auto found = std::ranges::find(texts, name, &NamedText::first);
    return found == texts.end() ? std::string() : found->second;
  };
  for (const std::string &name : names)
    if (find(before, name) != find(after, name))
      addText(name, find(before, name), find(after, name), figures);
}

static std::string factsOf(const std::vector<ComparedFigure> &figures) {
  std::vector<std::string> facts;
  for (const ComparedFigure &figure : figures)
    if (figure.isChanged && !figure.before.empty() && !figure.after.empty())
      facts.push_back(fmt::format("{} {} → {}{}", figure.name, figure.before, figure.after,
                                  figure.change.empty() ? "" : " (" + figure.change + ")"));
  return facts.empty() ? "no figure differs" : fmt::format("{}", fmt::join(facts, ", "));
}

ReportComparison compareKernels(const ReportKernel &before, const ReportKernel &after) {
  ReportComparison comparison;
  std::vector<ComparedFigure> &figures = comparison.figures;
  addMeasurement(before, after, figures);
  addResources(before, after, figures);
  addText("target", before.target, after.target, figures);
  addChoices(before.options, after.options, figures);
  addChoices(before.constexprs, after.constexprs, figures);
  // The line says what a reader asks first; counters follow in the table.
  comparison.facts = factsOf(figures);
  const Measurement none;
  addCounters(before.measurement.value_or(none), after.measurement.value_or(none), figures);
  return comparison;
}

static std::string headOf(const ReportKernel &kernel) { return kernel.kernel + ", " + kernel.path; }

/// Of a stage in a report; the whole text of both is in the report, too.
static constexpr size_t kMostDiffLines = 2000;

/// Each line in its own element, so that whole lines are colored.
static std::string differenceHtml(const StageDifference &difference) {
  std::string html = fmt::format("<details><summary>{}: {}</summary><pre class=\"diff\">",
                                 escapeHtml(difference.title), differenceCount(difference.diff));
  const std::string patch = patchText(difference.diff, kMostDiffLines);
  for (const std::string_view line : splitLines(patch)) {
    const char *kind = line.starts_with('+') ? "add" : line.starts_with('-') ? "del" : "same";
    html += fmt::format("<span class=\"{}\">{}</span>\n", kind, escapeHtml(line));
  }
  return html + "</pre></details>";
}

/// A fence that no line of the text ends.
static std::string differenceMarkdown(const StageDifference &difference) {
  return fmt::format("### {}: {}\n\n~~~~~~diff\n{}~~~~~~\n\n", markdown(difference.title),
                     differenceCount(difference.diff), patchText(difference.diff, kMostDiffLines));
}

std::string comparisonHtml(const ReportData &data) {
  if (!data.isComparison || data.kernels.size() < 2)
    return "";
  const ReportComparison comparison = compareKernels(data.kernels[0], data.kernels[1]);
  std::string html = fmt::format(
      "<article id=\"comparison\"><h2>Comparison</h2><p>{}</p><table class=\"grid\"><tr><th></th>"
      "<th>{}</th><th>{}</th><th>change</th></tr>",
      escapeHtml(comparison.facts), escapeHtml(headOf(data.kernels[0])),
      escapeHtml(headOf(data.kernels[1])));
  for (const ComparedFigure &figure : comparison.figures)
    html += fmt::format(
        "<tr><td>{}</td><td class=\"num\">{}</td><td class=\"num\">{}</td><td class=\"num\">{}</td>"
        "</tr>",
        escapeHtml(figure.name), escapeHtml(figure.before), escapeHtml(figure.after),
        escapeHtml(figure.change));
  html += "</table>";
  for (const StageDifference &difference : stageDifferences(data.kernels[0], data.kernels[1]))
    html += differenceHtml(difference);
  return html + "</article>";
}

std::string comparisonMarkdown(const ReportData &data) {
  if (!data.isComparison || data.kernels.size() < 2)
    return "";
  const ReportComparison comparison = compareKernels(data.kernels[0], data.kernels[1]);
  std::string text = fmt::format("## Comparison\n\n{}\n\n| | {} | {} | change |\n| --- | ---: | "
                                 "---: | ---: |\n",
                                 markdown(comparison.facts), markdown(headOf(data.kernels[0])),
                                 markdown(headOf(data.kernels[1])));
  for (const ComparedFigure &figure : comparison.figures)
    text += fmt::format("| {} | {} | {} | {} |\n", markdown(figure.name), markdown(figure.before),
                        markdown(figure.after), markdown(figure.change));
  text += "\n";
  for (const StageDifference &difference : stageDifferences(data.kernels[0], data.kernels[1]))
    text += differenceMarkdown(difference);
  return text;
}

} // namespace tilescope::profiler
