// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/report/SweepReport.h"

#include "compiler/support/Counted.h"
#include "profiler/report/CsvParts.h"
#include "profiler/report/Highlight.h"
#include "profiler/report/ReportResources.h"
#include "profiler/report/SweepCharts.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

namespace tilescope::profiler {

/// Pictures of so many pairs of axes and so many sizes: a page that can be read.
static constexpr size_t kMostMaps = 6;
static constexpr size_t kMostGroups = 8;
/// Lines of text for each work.
static constexpr size_t kBestShown = 5;
/// Rows of a table of points: a page that a browser opens.
static constexpr size_t kMostRows = 5000;

static std::vector<std::string> namesOf(const Sweep &sweep) {
  std::vector<std::string> names;
  for (const SweepAxis &axis : sweep.axes)
    names.insert(names.end(), axis.names.begin(), axis.names.end());
  return names;
}

static std::string valueOf(const SweepPoint &point, const std::string &name) {
  const auto found = point.values.find(name);
  return found == point.values.end() ? std::string() : found->second;
}

template <typename T>
static std::string cell(const std::optional<T> &value, const char *format = "{}") {
  return value ? fmt::format(fmt::runtime(format), *value) : std::string();
}

std::string sweepCsvHead(const Sweep &sweep) {
  std::string text;
  for (const std::string &name : namesOf(sweep))
    text += csvField(name) + ",";
  return text +
         "status,median_us,min_us,max_us,gb_per_s,tflop_per_s,registers,spill_bytes,shared_bytes,"
         "threads,occupancy,work,reason,model,place,gpu,uuid\n";
}

std::string sweepCsvLine(const Sweep &sweep, const SweepPoint &point) {
  std::string text;
  for (const SweepAxis &axis : sweep.axes)
    for (const std::string &name : axis.names)
      text += csvField(valueOf(point, name)) + ",";
  text += sweepStatusName(point.status);
  for (const auto &value :
       {point.medianUs, point.minUs, point.maxUs, point.gbPerS, point.tflopPerS})
    text += "," + cell(value);
  for (const auto &value : {point.registers, point.spillBytes, point.sharedBytes, point.threads})
    text += "," + cell(value);
  return text + "," + cell(point.occupancy) + "," + csvField(point.work) + "," +
         csvField(point.reason) + "," + csvField(point.model) + "," + csvField(point.place) + "," +
         cell(point.gpu) + "," + csvField(point.uuid) + "\n";
}

std::string sweepCsv(const Sweep &sweep) {
  std::string text = sweepCsvHead(sweep);
  for (const SweepPoint &point : sweep.points)
    text += sweepCsvLine(sweep, point);
  return text;
}

/// The sizes of a group, where the sweep changes them.
static std::string groupName(const Sweep &sweep, const std::vector<size_t> &group) {
  std::map<std::string, std::string> sizes;
  for (const std::string &name : sweep.sizes)
    sizes[name] = valueOf(sweep.points[group.front()], name);
  return valuesText(sizes);
}

static std::vector<size_t> byTime(const Sweep &sweep, std::vector<size_t> points) {
  std::erase_if(points, [&](size_t i) { return !sweep.points[i].hasTime(); });
  std::ranges::stable_sort(points, {}, [&](size_t i) { return *sweep.points[i].medianUs; });
  return points;
}

static int64_t countStatus(const Sweep &sweep, SweepStatus status) {
  auto count = static_cast<int64_t>(std::ranges::count(sweep.points, status, &SweepPoint::status));
  for (const auto &[model, left] : sweep.leftOut)
    if (const auto more = left.byStatus.find(status); more != left.byStatus.end())
      count += static_cast<int64_t>(more->second);
  return count;
}

static size_t countLeftOut(const Sweep &sweep) {
  size_t count = 0;
  for (const auto &[model, left] : sweep.leftOut)
    for (const auto &[status, number] : left.byStatus)
      count += number;
  return count;
}

static std::string countsText(const Sweep &sweep) {
  std::string text = counted(sweep.points.size() + countLeftOut(sweep), "point");
  for (const SweepStatus status : {SweepStatus::Measured, SweepStatus::StoppedEarly,
                                   SweepStatus::Compiled, SweepStatus::Failed, SweepStatus::Open})
    if (const int64_t count = countStatus(sweep, status); count > 0)
      text += fmt::format(", {} {}", count, sweepStatusName(status));
  return text;
}

static std::string rateText(const SweepPoint &point) {
  std::string text;
  if (point.gbPerS)
    text += fmt::format(", {:.0f} GB/s", *point.gbPerS);
  if (point.tflopPerS)
    text += fmt::format(", {:.2f} TFLOP/s", *point.tflopPerS);
  return text;
}

/// How many points failed for which reason, the most frequent ones first.
static std::vector<std::pair<std::string, size_t>> failures(const Sweep &sweep) {
  std::map<std::string, size_t> counts;
  for (const SweepPoint &point : sweep.points)
    if (point.status == SweepStatus::Failed)
      ++counts[point.reason];
  for (const auto &[model, left] : sweep.leftOut)
    for (const auto &[reason, count] : left.byReason)
      counts[reason] += count;
  std::vector<std::pair<std::string, size_t>> sorted(counts.begin(), counts.end());
  std::ranges::stable_sort(sorted, std::greater<>(), &std::pair<std::string, size_t>::second);
  return sorted;
}

static std::string winnerText(const SweepWinner &winner, size_t numGroups) {
  std::string text =
      winner.configuration.empty() ? "the launch as it is" : valuesText(winner.configuration);
  if (numGroups > 1)
    text += winner.slowdown < 1.0005
                ? " (the fastest for every size)"
                : fmt::format(" ({:.1f} % slower than the fastest of each size, on average)",
                              (winner.slowdown - 1) * 100);
  return text;
}

/// Those that measured, each once: `NVIDIA H100 (2 GPUs)`.
static std::string deviceText(const Sweep &sweep) {
  if (sweep.device.empty())
    return sweep.target;
  std::set<std::string> uuids;
  for (const SweepPoint &point : sweep.points)
    if (!point.uuid.empty())
      uuids.insert(point.uuid);
  return sweep.device + (uuids.size() > 1 ? fmt::format(" ({} GPUs)", uuids.size()) : "");
}

static std::string oneSweepText(const Sweep &sweep) {
  std::string text =
      fmt::format("{} on {}: {}\n", sweep.kernel, deviceText(sweep), countsText(sweep));
  const std::vector<std::vector<size_t>> groups = sweepGroups(sweep);
  for (const std::vector<size_t> &group : groups) {
    const std::vector<size_t> sorted = byTime(sweep, group);
    if (sorted.empty())
      continue;
    if (!sweep.sizes.empty())
      text += groupName(sweep, group) + "\n";
    for (size_t i = 0; i < std::min(sorted.size(), kBestShown); ++i) {
      const SweepPoint &point = sweep.points[sorted[i]];
      text += fmt::format("{:>12.2f} us{}  {}\n", *point.medianUs, rateText(point),
                          valuesText(configurationOf(sweep, point)));
    }
    if (sorted.size() > kBestShown)
      text += fmt::format("{:>15} and {} slower ones\n", "", sorted.size() - kBestShown);
  }
  for (const auto &[reason, count] : failures(sweep))
    text += fmt::format("failed    {}: {}\n", count, reason);
  if (const auto winner = sweepWinner(sweep))
    text += "winner    " + winnerText(*winner, groups.size()) + "\n";
  else
    text += sweep.device.empty()
                ? "no winner: times need a GPU, and registers and shared memory do not decide\n"
                : "no winner: no configuration has times for every size\n";
  for (const std::string &note : sweep.notes)
    text += "note: " + note + "\n";
  return text;
}

std::string sweepText(const Sweep &sweep) {
  std::string text;
  for (const Sweep &part : sweepsByModel(sweep))
    text += oneSweepText(part);
  return text;
}

static std::string figure(const std::string &svg, const std::string &caption) {
  return svg.empty() ? std::string()
                     : "<figure>" + svg + "<figcaption>" + caption + "</figcaption></figure>";
}

static std::string figures(const std::string &content) {
  return content.empty() ? std::string() : "<div class=\"figures\">" + content + "</div>";
}

/// Rates over each size that is swept.
static std::string linesHtml(const Sweep &sweep) {
  const SweepQuantity quantities[] = {
      {"GB/s", &SweepPoint::gbPerS, sweep.copyGbPerS, "copy between two buffers"},
      {"TFLOP/s", &SweepPoint::tflopPerS},
      {"µs", &SweepPoint::medianUs}};
  std::string html;
  for (const SweepAxis &axis : sweep.axes) {
    if (std::ranges::find(sweep.sizes, axis.names.front()) == sweep.sizes.end())
      continue;
    for (const SweepQuantity &quantity : quantities)
      html +=
          figure(sweepLineChart(sweep, axis, quantity),
                 "<b>" + escapeHtml(quantity.name) + "</b> over " + escapeHtml(axis.names.front()));
  }
  return html.empty() ? html : "<h3>Over sizes</h3>" + figures(html);
}

/// Pairs of names for heat maps, those with the most values first; the one with more values goes
/// downwards, since pages are narrow.
static std::vector<std::pair<std::string, std::string>>
mappedNames(const Sweep &sweep, const std::vector<size_t> &group) {
  std::vector<std::pair<std::string, size_t>> names;
  for (const std::string &name : namesOf(sweep))
    if (const size_t count = valuesAt(sweep, group, name).size(); count > 1)
      names.emplace_back(name, count);
  std::ranges::stable_sort(names, {}, &std::pair<std::string, size_t>::second);
  std::vector<std::pair<std::string, std::string>> pairs;
  for (size_t row = names.size(); row-- > 1;)
    for (size_t column = row; column-- > 0 && pairs.size() < kMostMaps;)
      pairs.emplace_back(names[column].first, names[row].first);
  return pairs;
}

static std::string groupHtml(const Sweep &sweep, const std::vector<size_t> &group) {
  std::string html = figure(sweepScatter(sweep, group),
                            "<b>Time and registers.</b> The line joins the points of which no "
                            "other one is faster without more registers.");
  for (const auto &[column, row] : mappedNames(sweep, group))
    html += figure(sweepHeatMap(sweep, group, column, row),
                   "<b>Time</b> as a multiple of the fastest; of the other values, the fastest.");
  const std::string name = groupName(sweep, group);
  return html.empty() ? html
                      : "<h3>" + (name.empty() ? "Configurations" : escapeHtml(name)) + "</h3>" +
                            figures(html);
}

/// `cuda:1 GPU-8c2f…`
static std::string gpuText(const SweepPoint &point) {
  std::string text = point.place;
  if (!point.uuid.empty())
    text += (text.empty() ? "" : " ") + point.uuid;
  return text;
}

static std::string pointRow(const Sweep &sweep, const SweepPoint &point) {
  std::string html = "<tr>";
  for (const std::string &name : namesOf(sweep))
    html += "<td>" + escapeHtml(valueOf(point, name)) + "</td>";
  html += fmt::format("<td>{}</td>", sweepStatusName(point.status));
  html += "<td class=\"num\">" + cell(point.medianUs, "{:.2f}") + "</td><td class=\"num\">" +
          cell(point.gbPerS, "{:.0f}") + "</td><td class=\"num\">" +
          cell(point.tflopPerS, "{:.2f}") + "</td>";
  for (const auto &value : {point.registers, point.spillBytes, point.sharedBytes})
    html += "<td class=\"num\">" + cell(value) + "</td>";
  const std::optional<double> percent =
      point.occupancy ? std::optional(*point.occupancy * 100) : std::nullopt;
  return html + "<td class=\"num\">" + cell(percent, "{:.0f} %") + "</td><td>" +
         escapeHtml(gpuText(point)) + "</td><td>" + escapeHtml(point.reason) + "</td></tr>";
}

/// Those with times first, the fastest on top; then the others.
static std::string pointsHtml(const Sweep &sweep) {
  std::vector<size_t> order;
  for (const std::vector<size_t> &group : sweepGroups(sweep)) {
    const std::vector<size_t> sorted = byTime(sweep, group);
    order.insert(order.end(), sorted.begin(), sorted.end());
  }
  const std::set<size_t> timed(order.begin(), order.end());
  for (size_t i = 0; i < sweep.points.size(); ++i)
    if (!timed.contains(i))
      order.push_back(i);
  std::string html = "<h3>Points</h3><table class=\"grid\"><tr>";
  for (const std::string &name : namesOf(sweep))
    html += "<th>" + escapeHtml(name) + "</th>";
  html += "<th>status</th><th>µs</th><th>GB/s</th><th>TFLOP/s</th><th>registers</th>"
          "<th>spilled bytes</th><th>shared bytes</th><th>occupancy</th><th>GPU</th><th>reason</th>"
          "</tr>";
  const size_t numShown = std::min(order.size(), kMostRows);
  for (size_t i = 0; i < numShown; ++i)
    html += pointRow(sweep, sweep.points[order[i]]);
  html += "</table>";
  if (const size_t numLeft = order.size() - numShown + countLeftOut(sweep); numLeft > 0)
    html += fmt::format("<p class=\"hint\">{} more points are left out; points.csv has all.</p>",
                        numLeft);
  return html;
}

static std::string summaryHtml(const Sweep &sweep, size_t numGroups) {
  std::string html = "<p>" + escapeHtml(countsText(sweep)) + "</p>";
  if (const auto winner = sweepWinner(sweep))
    html +=
        "<p><b class=\"good\">Winner: " + escapeHtml(winnerText(*winner, numGroups)) + "</b></p>";
  else if (sweep.device.empty())
    html +=
        "<p class=\"missing\">No times: they need a GPU. Registers, shared memory and occupancy "
        "are the compiler's.</p>";
  for (const std::string &note : sweep.notes)
    html += "<p class=\"hint\">" + escapeHtml(note) + "</p>";
  return html;
}

static std::string oneSweepHtml(const Sweep &sweep) {
  const std::vector<std::vector<size_t>> groups = sweepGroups(sweep);
  std::string html = fmt::format("<h2>{}<small>{}</small></h2>", escapeHtml(sweep.kernel),
                                 escapeHtml(deviceText(sweep))) +
                     summaryHtml(sweep, groups.size()) + linesHtml(sweep);
  for (size_t i = 0; i < std::min(groups.size(), kMostGroups); ++i)
    html += groupHtml(sweep, groups[i]);
  if (groups.size() > kMostGroups)
    html += fmt::format("<p class=\"hint\">Pictures of {} more sizes are left out; the table has "
                        "all points.</p>",
                        groups.size() - kMostGroups);
  return html + pointsHtml(sweep);
}

std::string sweepHtml(const Sweep &sweep, const std::string &generator,
                      const std::string &created) {
  std::string body = fmt::format("<header><h1>{}</h1><p>{} · {} · {}</p></header><article>",
                                 escapeHtml("Sweep of " + sweep.kernel), escapeHtml(sweep.file),
                                 escapeHtml(generator), escapeHtml(created));
  for (const Sweep &part : sweepsByModel(sweep))
    body += oneSweepHtml(part);
  body += "</article>";
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
         "'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
         "<meta name=\"color-scheme\" content=\"light dark\">\n<title>" +
         escapeHtml("Sweep of " + sweep.kernel) + "</title>\n<style>\n" +
         std::string(kReportStyle) + "</style>\n</head>\n<body>\n" + body + "\n</body>\n</html>\n";
}

} // namespace tilescope::profiler
