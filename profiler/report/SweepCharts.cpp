// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/report/SweepCharts.h"

#include "profiler/report/Highlight.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace tilescope::profiler {

namespace {
/// Where values are drawn, linearly or by their logarithm.
struct Scale {
  double low = 0;
  double high = 1;
  double pixelLow = 0;
  double pixelHigh = 1;
  bool isLogarithmic = false;

  double operator()(double value) const {
    const auto place = [this](double x) { return isLogarithmic ? std::log2(x) : x; };
    const double width = place(high) - place(low);
    const double share = width > 0 ? (place(value) - place(low)) / width : 0.5;
    return pixelLow + share * (pixelHigh - pixelLow);
  }
};
} // namespace

static constexpr int kWidth = 520, kHeight = 300, kLeft = 64, kRight = 500, kTop = 14,
                     kBottom = 244;

static std::string openSvg(int width, int height, const std::string &label) {
  return fmt::format("<svg class=\"chart\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
                     "role=\"img\" aria-label=\"{2}\">",
                     width, height, escapeHtml(label));
}

static std::optional<double> toNumber(const std::string &text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value)
                                                                  : std::nullopt;
}

/// Round numbers from zero to beyond `most`: four to eight of them.
static std::vector<double> ticksUpTo(double most) {
  double step = std::pow(10, std::floor(std::log10(most)));
  while (most / step < 4)
    step /= 2;
  std::vector<double> ticks;
  for (double value = 0; value < most + step; value += step)
    ticks.push_back(value);
  return ticks;
}

static std::string verticalAxis(const Scale &y, const std::vector<double> &ticks,
                                const std::string &name) {
  std::string svg;
  for (const double value : ticks)
    svg += fmt::format("<line class=\"grid\" x1=\"{0}\" x2=\"{1}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\"/>"
                       "<text x=\"{3}\" y=\"{4:.1f}\" text-anchor=\"end\">{5:g}</text>",
                       kLeft, kRight, y(value), kLeft - 6, y(value) + 4, value);
  return svg + fmt::format("<text x=\"14\" y=\"{0}\" transform=\"rotate(-90 14 {0})\" "
                           "text-anchor=\"middle\">{1}</text>",
                           (kTop + kBottom) / 2, escapeHtml(name));
}

static std::string horizontalName(const std::string &name) {
  return fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
                     (kLeft + kRight) / 2, kBottom + 38, escapeHtml(name));
}

static std::string pointTitle(const SweepPoint &point) {
  std::string text = valuesText(point.values) + fmt::format(": {:.2f} µs", *point.medianUs);
  if (point.registers)
    text += fmt::format(", {} registers", *point.registers);
  return "<title>" + escapeHtml(text) + "</title>";
}

namespace {
/// A place of a line, with the point that is there.
struct LinePlace {
  double x = 0;
  double y = 0;
  size_t point = 0;
  bool operator<(const LinePlace &other) const { return x < other.x; }
};
} // namespace

static std::string lineSvg(const Sweep &sweep, std::vector<LinePlace> places, const Scale &x,
                           const Scale &y, const char *style) {
  std::sort(places.begin(), places.end());
  std::string line, marks;
  for (const LinePlace &place : places) {
    line += fmt::format("{:.1f},{:.1f} ", x(place.x), y(place.y));
    marks += fmt::format("<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.5\">{}</circle>",
                         style, x(place.x), y(place.y), pointTitle(sweep.points[place.point]));
  }
  return fmt::format("<polyline class=\"line {}\" points=\"{}\"/>", style, line) + marks;
}

/// Of each work in which the axis has a number: the points that `choose` says.
template <typename Choose>
static std::vector<LinePlace> linePlaces(const Sweep &sweep, const SweepAxis &axis,
                                         const SweepQuantity &quantity, const Choose &choose) {
  std::vector<LinePlace> places;
  for (const std::vector<size_t> &group : sweepGroups(sweep)) {
    const std::optional<size_t> chosen = choose(group);
    if (!chosen)
      continue;
    const SweepPoint &point = sweep.points[*chosen];
    const auto value = point.values.find(axis.names.front());
    const auto x = value == point.values.end() ? std::nullopt : toNumber(value->second);
    if (x && point.*quantity.value)
      places.push_back({*x, *(point.*quantity.value), *chosen});
  }
  return places;
}

static std::string sizeTicks(const SweepAxis &axis, const Scale &x) {
  std::string svg;
  double last = -std::numeric_limits<double>::infinity();
  for (const std::vector<std::string> &values : axis.values) {
    const auto number = toNumber(values.front());
    if (!number || x(*number) - last < 52)
      continue;
    last = x(*number);
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>", last,
                       kBottom + 18, escapeHtml(values.front()));
  }
  return svg;
}

std::string sweepLineChart(const Sweep &sweep, const SweepAxis &axis,
                           const SweepQuantity &quantity) {
  const auto fastest = [&](const std::vector<size_t> &group) { return fastestOf(sweep, group); };
  const std::vector<LinePlace> best = linePlaces(sweep, axis, quantity, fastest);
  if (axis.names.size() != 1 || best.size() < 2)
    return {};
  const std::optional<SweepWinner> winner = sweepWinner(sweep);
  const auto ofWinner = [&](const std::vector<size_t> &group) -> std::optional<size_t> {
    for (const size_t i : group)
      if (winner && std::ranges::find(winner->points, i) != winner->points.end())
        return i;
    return std::nullopt;
  };
  const auto [least, most] = std::minmax_element(best.begin(), best.end());
  double top = quantity.ceiling.value_or(0);
  for (const LinePlace &place : best)
    top = std::max(top, place.y);
  const std::vector<double> ticks = ticksUpTo(top);
  const Scale x{least->x, most->x, kLeft + 12, kRight - 12, least->x > 0 && most->x > 8 * least->x};
  const Scale y{0, ticks.back(), kBottom, kTop};
  std::string svg = openSvg(kWidth, kHeight, quantity.name + " over " + axis.names.front()) +
                    verticalAxis(y, ticks, quantity.name) + sizeTicks(axis, x) +
                    horizontalName(axis.names.front());
  if (quantity.ceiling)
    svg +=
        fmt::format("<line class=\"drop\" x1=\"{0}\" x2=\"{1}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\"/>"
                    "<text class=\"faint\" x=\"{1}\" y=\"{3:.1f}\" text-anchor=\"end\">{4}</text>",
                    kLeft, kRight, y(*quantity.ceiling), y(*quantity.ceiling) - 5,
                    escapeHtml(quantity.ceilingName));
  svg += lineSvg(sweep, linePlaces(sweep, axis, quantity, ofWinner), x, y, "bar2") +
         lineSvg(sweep, best, x, y, "bar");
  svg += fmt::format("<circle class=\"bar\" cx=\"{0}\" cy=\"{1}\" r=\"4\"/><text x=\"{2}\" "
                     "y=\"{3}\">fastest at each size</text><circle class=\"bar2\" cx=\"{4}\" "
                     "cy=\"{1}\" r=\"4\"/><text x=\"{5}\" y=\"{3}\">one for all sizes</text>",
                     kLeft + 8, kHeight - 6, kLeft + 18, kHeight - 2, kLeft + 190, kLeft + 200);
  return svg + "</svg>";
}

static std::string valueOf(const SweepPoint &point, const std::string &name) {
  const auto found = point.values.find(name);
  return found == point.values.end() ? std::string() : found->second;
}

std::vector<std::string> valuesAt(const Sweep &sweep, const std::vector<size_t> &points,
                                  const std::string &name) {
  std::vector<std::string> values;
  for (const size_t i : points)
    if (std::string value = valueOf(sweep.points[i], name);
        std::ranges::find(values, value) == values.end())
      values.push_back(std::move(value));
  // In a list of configurations they come in any order.
  if (std::ranges::all_of(values, [](const std::string &each) { return toNumber(each).has_value(); }))
    std::ranges::sort(values, {}, [](const std::string &each) { return *toNumber(each); });
  return values;
}

namespace {
/// Where the cells of a heat map are.
struct HeatGrid {
  static constexpr int kCellHeight = 26;
  static constexpr int kTop = 44;
  int cellWidth = 62;
  int left = 90;

  int x(size_t column) const { return left + cellWidth * int(column); }
  int y(size_t row) const { return kTop + kCellHeight * int(row); }
};
} // namespace

/// In pixels: letters of this size are hardly wider.
static int widestLabel(const std::vector<std::string> &labels) {
  size_t longest = 0;
  for (const std::string &label : labels)
    longest = std::max(longest, label.size());
  return 7 * int(longest);
}

static std::string shownValue(const std::string &value) { return value.empty() ? "–" : value; }

static std::string heatHeads(const HeatGrid &grid, const std::vector<std::string> &columns,
                             const std::vector<std::string> &rows) {
  std::string svg;
  for (size_t c = 0; c < columns.size(); ++c)
    svg += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
                       grid.x(c) + grid.cellWidth / 2, HeatGrid::kTop - 8,
                       escapeHtml(shownValue(columns[c])));
  for (size_t r = 0; r < rows.size(); ++r)
    svg += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>", grid.left - 8,
                       grid.y(r) + 17, escapeHtml(shownValue(rows[r])));
  return svg;
}

/// `ratio`: to the fastest of all.
static std::string heatCell(const HeatGrid &grid, size_t column, size_t row,
                            const SweepPoint &point, double ratio) {
  // Twice the fastest time and more is as faint as can be.
  const double strength = std::clamp(2 - ratio, 0.0, 1.0) * 0.75 + 0.05;
  return fmt::format("<g>{}<rect class=\"bar\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" "
                     "fill-opacity=\"{:.2f}\"/><text x=\"{}\" y=\"{}\" "
                     "text-anchor=\"middle\">{:.2f}</text></g>",
                     pointTitle(point), grid.x(column) + 1, grid.y(row) + 1, grid.cellWidth - 2,
                     HeatGrid::kCellHeight - 2, strength, grid.x(column) + grid.cellWidth / 2,
                     grid.y(row) + 17, ratio);
}

std::string sweepHeatMap(const Sweep &sweep, const std::vector<size_t> &points,
                         const std::string &columnName, const std::string &rowName) {
  const std::optional<size_t> fastest = fastestOf(sweep, points);
  if (!fastest)
    return {};
  const std::vector<std::string> columns = valuesAt(sweep, points, columnName);
  const std::vector<std::string> rows = valuesAt(sweep, points, rowName);
  const HeatGrid grid{std::max(62, widestLabel(columns) + 10),
                      std::max({90, widestLabel(rows) + 16, 8 * int(rowName.size())})};
  std::string svg = openSvg(grid.x(columns.size()) + 8, grid.y(rows.size()) + 8,
                            "time over " + columnName + " and " + rowName);
  svg += fmt::format("<text class=\"name\" x=\"{}\" y=\"14\">{}</text><text class=\"name\" "
                     "x=\"0\" y=\"{}\">{}</text>",
                     grid.left, escapeHtml(columnName), HeatGrid::kTop - 8, escapeHtml(rowName)) +
         heatHeads(grid, columns, rows);
  for (size_t r = 0; r < rows.size(); ++r)
    for (size_t c = 0; c < columns.size(); ++c) {
      std::vector<size_t> here;
      for (const size_t i : points)
        if (valueOf(sweep.points[i], columnName) == columns[c] &&
            valueOf(sweep.points[i], rowName) == rows[r])
          here.push_back(i);
      if (const auto best = fastestOf(sweep, here))
        svg += heatCell(grid, c, r, sweep.points[*best],
                        *sweep.points[*best].medianUs / *sweep.points[*fastest].medianUs);
      else
        svg +=
            fmt::format("<text class=\"faint\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">–</text>",
                        grid.x(c) + grid.cellWidth / 2, grid.y(r) + 17);
    }
  return svg + "</svg>";
}

std::string sweepScatter(const Sweep &sweep, const std::vector<size_t> &points) {
  std::vector<size_t> shown;
  double top = 0, most = 0, least = std::numeric_limits<double>::infinity();
  for (const size_t i : points) {
    const SweepPoint &point = sweep.points[i];
    if (!point.hasTime() || !point.registers)
      continue;
    shown.push_back(i);
    top = std::max(top, *point.medianUs);
    most = std::max(most, double(*point.registers));
    least = std::min(least, double(*point.registers));
  }
  if (shown.size() < 2)
    return {};
  const std::vector<double> ticks = ticksUpTo(top);
  const Scale x{least, most, kLeft + 12, kRight - 12};
  const Scale y{0, ticks.back(), kBottom, kTop};
  std::string svg = openSvg(kWidth, kHeight, "time over registers") + verticalAxis(y, ticks, "µs") +
                    horizontalName("registers of a thread");
  std::vector<double> marked = {least};
  if (most > least)
    marked.insert(marked.end(), {(least + most) / 2, most});
  for (const double value : marked)
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{:.0f}</text>", x(value),
                       kBottom + 18, value);
  std::string front;
  const std::vector<size_t> best = paretoFront(sweep, points);
  for (const size_t i : best)
    front += fmt::format("{:.1f},{:.1f} ", x(double(*sweep.points[i].registers)),
                         y(*sweep.points[i].medianUs));
  svg += "<polyline class=\"roof\" points=\"" + front + "\"/>";
  for (const size_t i : shown) {
    const bool isBest = std::ranges::find(best, i) != best.end();
    svg +=
        fmt::format("<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\">{}</circle>",
                    isBest ? "bar" : "bar3", x(double(*sweep.points[i].registers)),
                    y(*sweep.points[i].medianUs), isBest ? 4.5 : 3.5, pointTitle(sweep.points[i]));
  }
  return svg + "</svg>";
}

} // namespace tilescope::profiler
