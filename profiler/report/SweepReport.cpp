// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/report/SweepReport.h"

#include "compiler/support/Counted.h"
#include "profiler/analysis/SweepWords.h"
#include "profiler/report/CsvParts.h"
#include "profiler/report/Highlight.h"
#include "profiler/report/ReportResources.h"
#include "profiler/report/SweepCharts.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <set>

namespace tilescope::profiler {

/// Lines of text for each work.
static constexpr size_t kBestShown = 5;
/// Rows of a table of points: a page that a browser opens.
static constexpr size_t kMostRows = 2000;

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
  for (const std::string &name : sweepNames(sweep))
    text += csvField(name) + ",";
  return text + "status,median_us,min_us,max_us,predicted_us,gb_per_s,tflop_per_s,registers,spill_"
                "bytes,shared_bytes,"
                "threads,occupancy,work,reason,model,place,gpu,uuid\n";
}

std::string sweepCsvLine(const Sweep &sweep, const SweepPoint &point) {
  std::string text;
  for (const SweepAxis &axis : sweep.axes)
    for (const std::string &name : axis.names)
      text += csvField(valueOf(point, name)) + ",";
  text += sweepStatusName(point.status);
  for (const auto &value :
       {point.medianUs, point.minUs, point.maxUs, point.predictedUs, point.gbPerS, point.tflopPerS})
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

/// Where nothing was measured: the points of a group that have a predicted time, the shortest first.
static std::vector<size_t> pointsByPrediction(const Sweep &sweep,
                                              const std::vector<size_t> &group) {
  std::vector<size_t> sorted;
  std::ranges::copy_if(group, std::back_inserter(sorted), [&](size_t point) {
    return sweep.device.empty() && sweep.points[point].predictedUs;
  });
  std::ranges::stable_sort(sorted, {},
                           [&](size_t point) { return *sweep.points[point].predictedUs; });
  return sorted;
}

static std::string costText(const SweepPoint &point) {
  std::string text;
  if (point.registers)
    text += fmt::format(", {} registers", *point.registers);
  if (point.spillBytes.value_or(0) > 0)
    text += fmt::format(", {} bytes spilled", *point.spillBytes);
  if (point.sharedBytes.value_or(0) > 0)
    text += fmt::format(", {} bytes shared", *point.sharedBytes);
  return text;
}

static std::string timeLine(const Sweep &sweep, const SweepPoint &point) {
  const std::string time =
      point.medianUs ? fmt::format("{:>12.2f} us{}", *point.medianUs, rateText(point))
                     : fmt::format("{:>12.2f} us predicted{}", *point.predictedUs, costText(point));
  return time + "  " + valuesText(configurationOf(sweep, point)) + "\n";
}

static std::string oneSweepText(const Sweep &sweep) {
  std::string text =
      fmt::format("{} on {}: {}\n", sweep.kernel, deviceText(sweep), sweepCountsText(sweep));
  const std::vector<std::vector<size_t>> groups = sweepGroups(sweep);
  for (const std::vector<size_t> &group : groups) {
    std::vector<size_t> sorted = pointsByTime(sweep, group);
    if (sorted.empty())
      sorted = pointsByPrediction(sweep, group);
    if (sorted.empty())
      continue;
    if (!sweep.sizes.empty())
      text += groupName(sweep, group) + "\n";
    for (size_t i = 0; i < std::min(sorted.size(), kBestShown); ++i)
      text += timeLine(sweep, sweep.points[sorted[i]]);
    if (sorted.size() > kBestShown)
      text += fmt::format(
          "{:>15} and {}\n", "",
          counted(sorted.size() - kBestShown, sweep.device.empty() ? "other" : "slower one"));
  }
  for (const auto &[reason, count] : failures(sweep))
    text += fmt::format("failed    {}: {}\n", count, reason);
  if (const auto winner = sweepWinner(sweep))
    text += "winner    " + sweepWinnerText(*winner, groups.size()) + "\n";
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

static std::string figure(const Sweep &sweep, const SweepPicture &picture) {
  return "<figure>" + sweepSvg(sweep, picture) + "<figcaption><b>" + escapeHtml(picture.title) +
         "</b>" + (picture.caption.empty() ? "" : ". " + escapeHtml(picture.caption)) +
         "</figcaption></figure>";
}

/// Those over sizes, and then those of each work, below the name of its sizes.
static std::string picturesHtml(const Sweep &sweep) {
  std::string html, heading;
  for (const SweepPicture &picture : sweepPictures(sweep)) {
    const bool isOverSizes = picture.group.empty() && picture.caption.empty();
    std::string title = isOverSizes             ? "Over sizes"
                        : picture.group.empty() ? "Configurations"
                                                : escapeHtml(picture.group);
    if (title != heading)
      html += (html.empty() ? "<h3>" : "</div><h3>") + title + "</h3><div class=\"figures\">";
    heading = std::move(title);
    html += figure(sweep, picture);
  }
  return html.empty() ? html : html + "</div>";
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
  for (const std::string &name : sweepNames(sweep))
    html += "<td>" + escapeHtml(valueOf(point, name)) + "</td>";
  html += fmt::format("<td>{}</td>", sweepStatusName(point.status));
  html += "<td class=\"num\">" + cell(point.medianUs, "{:.2f}") + "</td><td class=\"num\">" +
          cell(point.predictedUs, "{:.2f}") + "</td><td class=\"num\">" +
          cell(point.gbPerS, "{:.0f}") + "</td><td class=\"num\">" +
          cell(point.tflopPerS, "{:.2f}") + "</td>";
  for (const auto &value : {point.registers, point.spillBytes, point.sharedBytes})
    html += "<td class=\"num\">" + cell(value) + "</td>";
  const std::optional<double> percent =
      point.occupancy ? std::optional(std::round(*point.occupancy * 100)) : std::nullopt;
  return html + "<td class=\"num\">" + cell(percent, "{:.0f} %") + "</td><td>" +
         escapeHtml(gpuText(point)) + "</td><td>" + escapeHtml(point.reason) + "</td></tr>";
}

static std::string pointsHtml(const Sweep &sweep) {
  const std::vector<size_t> order = tableOrder(sweep);
  std::string html = "<h3>Points</h3><table class=\"grid\"><tr>";
  for (const std::string &name : sweepNames(sweep))
    html += "<th>" + escapeHtml(name) + "</th>";
  html += "<th>status</th><th>µs</th><th>predicted "
          "µs</th><th>GB/s</th><th>TFLOP/s</th><th>registers</th>"
          "<th>spilled bytes</th><th>shared bytes</th><th>occupancy</th><th>GPU</th><th>reason</th>"
          "</tr>";
  const size_t numShown = std::min(order.size(), kMostRows);
  for (size_t i = 0; i < numShown; ++i)
    html += pointRow(sweep, sweep.points[order[i]]);
  html += "</table>";
  if (const size_t numLeft = order.size() - numShown + numPointsLeftOut(sweep); numLeft > 0)
    html += fmt::format("<p class=\"hint\">{} more points are left out; points.csv has all.</p>",
                        numLeft);
  return html;
}

/// ": 4.58 us, 458 GB/s": of a winner that was measured with one size alone.
static std::string winnersTime(const Sweep &sweep, const SweepWinner &winner) {
  if (winner.points.size() != 1)
    return "";
  const SweepPoint &point = sweep.points[winner.points.front()];
  return fmt::format(": {:.2f} us{}", *point.medianUs, rateText(point));
}

static std::string summaryHtml(const Sweep &sweep, size_t numGroups) {
  std::string html = "<p>" + escapeHtml(sweepCountsText(sweep)) + "</p>";
  if (const auto winner = sweepWinner(sweep))
    html += "<p><b class=\"good\">Winner: " +
            escapeHtml(sweepWinnerText(*winner, numGroups) + winnersTime(sweep, *winner)) +
            "</b></p>";
  else if (sweep.device.empty())
    html +=
        "<p class=\"missing\">No times: they need a GPU. Registers, shared memory and occupancy "
        "are the compiler's.</p>";
  for (const std::string &note : sweep.notes)
    html += "<p class=\"hint\">" + escapeHtml(note) + "</p>";
  return html;
}

static std::string oneSweepHtml(const Sweep &sweep) {
  std::string html = fmt::format("<h2>{}<small>{}</small></h2>", escapeHtml(sweep.kernel),
                                 escapeHtml(deviceText(sweep))) +
                     summaryHtml(sweep, sweepGroups(sweep).size()) + picturesHtml(sweep);
  if (const size_t numLeftOut = numGroupsWithoutPictures(sweep); numLeftOut > 0)
    html += fmt::format("<p class=\"hint\">Pictures of {} more sizes are left out; the table has "
                        "all points.</p>",
                        numLeftOut);
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
