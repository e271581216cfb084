// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/support/Counted.h"
#include "compiler/support/Text.h"
#include "profiler/analysis/ProfileFigures.h"
#include "profiler/report/Highlight.h"
#include "profiler/report/HtmlParts.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>

namespace tilescope::profiler {

/// Machine code's bytes are not text, and its disassembly is a separate stage; the syntax tree
/// says what the source says.
static bool isShown(const ReportStage &stage) {
  return !stage.text.empty() && stage.id != "cubin" && stage.id != "ast";
}

/// The lines that a stage on the page came from: only they can be pointed at.
static std::set<uint32_t> mappedSourceLines(const ReportKernel &kernel) {
  std::set<uint32_t> result;
  for (const ReportStage &stage : kernel.stages)
    for (size_t line = 0; isShown(stage) && line < stage.sources.size(); ++line)
      result.insert(stage.sources[line].begin(), stage.sources[line].end());
  return result;
}

namespace {
/// What a column shows of a line beside its text.
struct LineFacts {
  std::vector<uint32_t> sources;
  bool isFocusable = false;
  /// Of samples, from 0 to 1; nothing in a column without samples.
  std::optional<double> share;
};
} // namespace

/// The share of samples in the margin, the darker the more. `hottest`: of the column.
static std::string heatHtml(double share, double hottest) {
  constexpr double kDarkest = 0.5, kLeastShown = 0.0005;
  if (share < kLeastShown)
    return "<b class=\"heat\"></b>";
  return fmt::format("<b class=\"heat\" style=\"background:rgba(224,112,32,{0:.3f})\" "
                     "title=\"{1:.1f} % of the samples\">{1:.1f}</b>",
                     share / hottest * kDarkest, share * 100);
}

/// `data-s` lists the source lines of a line; lines of one origin share a tint.
static std::string lineHtml(size_t number, const std::string &code, const LineFacts &facts,
                            double hottest) {
  const std::vector<uint32_t> &sources = facts.sources;
  constexpr int kTints = 6;
  std::string attributes;
  if (!sources.empty()) {
    std::string list;
    for (uint32_t source : sources)
      list += (list.empty() ? "" : " ") + std::to_string(source + 1);
    attributes = fmt::format(" data-s=\"{}\"{}", list, facts.isFocusable ? " tabindex=\"0\"" : "");
  }
  std::string style = sources.empty() ? "" : fmt::format(" t{}", sources.front() % kTints);
  return fmt::format("<div class=\"ln{}\"{}><i>{}</i>{}<code>{}</code></div>", style, attributes,
                     number + 1, facts.share ? heatHtml(*facts.share, hottest) : "", code);
}

static std::string columnHtml(const std::string &id, const std::string &title,
                              const std::string &facts, const std::string &body) {
  return fmt::format("<section class=\"column\" data-stage=\"{0}\"><h4>{1}<small>{2}</small></h4>"
                     "<div class=\"code\" tabindex=\"0\" role=\"region\" aria-label=\"{1}\">{3}"
                     "</div></section>",
                     escapeHtml(id), escapeHtml(title), facts, body);
}

static std::string stageColumn(const ReportStage &stage) {
  std::string body;
  std::vector<std::string_view> text = splitLines(stage.text);
  const std::vector<double> &shares = stage.sampleShares;
  const double hottest = shares.empty() ? 0 : *std::ranges::max_element(shares);
  for (size_t i = 0; i < text.size(); ++i) {
    LineFacts facts;
    if (i < stage.sources.size())
      facts.sources = stage.sources[i];
    if (hottest > 0)
      facts.share = i < shares.size() ? shares[i] : 0;
    body += lineHtml(i, highlightLine(text[i]), facts, hottest);
  }
  std::string facts = fmt::format("{:.2f} ms · {} · {:.0f} % mapped", stage.ms,
                                  counted(text.size(), "line"), stage.mappedShare * 100);
  if (!stage.ok)
    facts += " · failed";
  return columnHtml(stage.id, stage.title, facts, body);
}

/// The share of samples of each source line that has any.
static std::map<uint32_t, double> lineShares(const ReportKernel &kernel) {
  std::map<uint32_t, double> shares;
  if (kernel.measurement && kernel.measurement->samples)
    for (const SamplePlace &place : hottestLines(*kernel.measurement->samples))
      shares.emplace(place.place, place.share);
  return shares;
}

static std::string sourceColumn(const ReportKernel &kernel) {
  std::set<uint32_t> mapped = mappedSourceLines(kernel);
  std::string body;
  std::vector<std::string_view> text = splitLines(kernel.source);
  const std::vector<CodeWord> &words = kernel.sourceWords;
  const std::map<uint32_t, double> shares = lineShares(kernel);
  double hottest = 0;
  for (const auto &[line, share] : shares)
    hottest = std::max(hottest, share);
  size_t first = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    LineFacts facts;
    facts.isFocusable = true;
    if (mapped.count(uint32_t(i)))
      facts.sources.push_back(uint32_t(i));
    if (const auto share = shares.find(uint32_t(i)); hottest > 0)
      facts.share = share == shares.end() ? 0 : share->second;
    while (first < words.size() && words[first].line < i)
      ++first;
    size_t last = first;
    while (last < words.size() && words[last].line == i)
      ++last;
    const auto ofLine = std::span(words).subspan(first, last - first);
    body += lineHtml(i, kernel.isPython ? highlightWords(text[i], ofLine) : highlightLine(text[i]),
                     facts, hottest);
  }
  return columnHtml("source", "Source", escapeHtml(kernel.path), body);
}

std::string codeHtml(const ReportKernel &kernel, size_t index) {
  // The stages that a reader meets first; the others are one click away.
  const std::set<std::string> kShown = {"source", "ttir", "ttgir", "ptx"};
  std::string columns = sourceColumn(kernel), switches;
  auto addSwitch = [&](const std::string &id, const std::string &title) {
    switches += fmt::format(
        "<label><input type=\"checkbox\" data-show=\"{0}\" id=\"show-{1}-{0}\"{2}> {3}</label>",
        escapeHtml(id), index, kShown.count(id) ? " checked" : "", escapeHtml(title));
  };
  addSwitch("source", "Source");
  for (const ReportStage &stage : kernel.stages) {
    if (!isShown(stage))
      continue;
    columns += stageColumn(stage);
    addSwitch(stage.id, stage.title);
  }
  return fmt::format(
      "<h3>Code</h3><p class=\"hint screen\">Point at a line to see what it came from "
      "and what became of it; click to keep it marked.</p><div class=\"correlated\">"
      "<div class=\"switches screen\">{}</div><div class=\"columns\">{}</div></div>",
      switches, columns);
}

std::string messagesHtml(const ReportKernel &kernel) {
  if (kernel.messages.empty())
    return "";
  std::string rows;
  for (const ReportMessage &message : kernel.messages) {
    std::string notes;
    for (const std::string &note : message.notes)
      notes += "<br><small>" + escapeHtml(note) + "</small>";
    rows += fmt::format("<tr class=\"{0}\"><td>{0}</td><td>{1}:{2}:{3}</td><td>{4}{5}</td></tr>",
                        escapeHtml(message.severity), escapeHtml(message.file), message.line,
                        message.column, escapeHtml(message.text), notes);
  }
  return "<h3>Problems</h3><table class=\"messages\">" + rows + "</table>";
}

std::string figureHtml(const ReportDiagram &diagram) {
  return fmt::format("<figure>{}<figcaption><b>{}</b><br>{}</figcaption></figure>", diagram.svg,
                     escapeHtml(diagram.title), escapeHtml(diagram.caption));
}

std::string diagramsHtml(const ReportKernel &kernel) {
  if (kernel.diagrams.empty())
    return "";
  std::string figures;
  for (const ReportDiagram &diagram : kernel.diagrams)
    figures += figureHtml(diagram);
  const size_t more = kernel.numDiagramsLeftOut;
  const std::string rest = more > 0
                               ? fmt::format("<p><small>{} more layout{} not drawn.</small></p>",
                                             more, more == 1 ? " is" : "s are")
                               : std::string();
  return "<h3>Layouts</h3><div class=\"figures\">" + figures + "</div>" + rest;
}

} // namespace tilescope::profiler
