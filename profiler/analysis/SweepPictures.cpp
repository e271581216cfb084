// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/analysis/SweepPictures.h"

#include "profiler/analysis/SweepWords.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace tilescope::profiler {

using Anchor = SweepWord::Anchor;

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

/// Of plots with axes.
static constexpr double kWidth = 520, kHeight = 300, kLeft = 64, kRight = 500, kTop = 14,
                        kBottom = 244;
/// Pictures of so many pairs of names and so many works can be looked through.
static constexpr size_t kMostMaps = 6, kMostGroups = 8;

static std::optional<double> toNumber(const std::string &text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value)
                                                                  : std::nullopt;
}

static std::string valueOf(const SweepPoint &point, const std::string &name) {
  const auto found = point.values.find(name);
  return found == point.values.end() ? std::string() : found->second;
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

static void addVerticalAxis(SweepPicture &picture, const Scale &y, const std::vector<double> &ticks,
                            const std::string &name) {
  constexpr double kBeforeAxis = 6, kBelowMiddle = 4, kNamePlace = 14;
  for (const double value : ticks) {
    picture.lines.push_back({SweepInk::Grid, {{kLeft, y(value)}, {kRight, y(value)}}});
    picture.words.push_back(
        {kLeft - kBeforeAxis, y(value) + kBelowMiddle, fmt::format("{:g}", value), Anchor::End});
  }
  picture.words.push_back(
      {kNamePlace, (kTop + kBottom) / 2, name, Anchor::Middle, SweepInk::Label, true});
}

static void addHorizontalName(SweepPicture &picture, const std::string &name) {
  constexpr double kBelow = 38;
  picture.words.push_back({(kLeft + kRight) / 2, kBottom + kBelow, name, Anchor::Middle});
}

static SweepPicture plot(std::string title) {
  SweepPicture picture;
  picture.title = std::move(title);
  picture.width = kWidth;
  picture.height = kHeight;
  return picture;
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

static void addLine(SweepPicture &picture, std::vector<LinePlace> places, const Scale &x,
                    const Scale &y, SweepInk ink) {
  constexpr double kRadius = 3.5;
  std::sort(places.begin(), places.end());
  SweepLine line{ink, {}};
  for (const LinePlace &place : places) {
    line.spots.push_back({x(place.x), y(place.y)});
    picture.marks.push_back({place.point, ink, x(place.x), y(place.y), kRadius});
  }
  picture.lines.push_back(std::move(line));
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
    const auto x = toNumber(valueOf(point, axis.names.front()));
    if (x && point.*quantity.value)
      places.push_back({*x, *(point.*quantity.value), *chosen});
  }
  return places;
}

static void addSizeTicks(SweepPicture &picture, const SweepAxis &axis, const Scale &x) {
  constexpr double kLeastApart = 52, kBelow = 18;
  double last = -std::numeric_limits<double>::infinity();
  for (const std::vector<std::string> &values : axis.values) {
    const auto number = toNumber(values.front());
    if (!number || x(*number) - last < kLeastApart)
      continue;
    last = x(*number);
    picture.words.push_back({last, kBottom + kBelow, values.front(), Anchor::Middle});
  }
}

static void addLineLegend(SweepPicture &picture) {
  constexpr double kSecond = 190;
  const double y = kHeight - 6, text = kHeight - 2;
  picture.samples = {{SweepInk::Best, kLeft + 8, y}, {SweepInk::Winner, kLeft + kSecond, y}};
  picture.words.push_back({kLeft + 18, text, "fastest at each size"});
  picture.words.push_back({kLeft + kSecond + 10, text, "one for all sizes"});
}

SweepPicture sweepLinePicture(const Sweep &sweep, const SweepAxis &axis,
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
  SweepPicture picture = plot(quantity.name + " over " + axis.names.front());
  addVerticalAxis(picture, y, ticks, quantity.name);
  addSizeTicks(picture, axis, x);
  addHorizontalName(picture, axis.names.front());
  if (quantity.ceiling) {
    const double at = y(*quantity.ceiling);
    picture.lines.push_back({SweepInk::Ceiling, {{kLeft, at}, {kRight, at}}});
    picture.words.push_back({kRight, at - 5, quantity.ceilingName, Anchor::End, SweepInk::Faint});
  }
  addLine(picture, linePlaces(sweep, axis, quantity, ofWinner), x, y, SweepInk::Winner);
  addLine(picture, best, x, y, SweepInk::Best);
  addLineLegend(picture);
  return picture;
}

std::vector<std::string> valuesAt(const Sweep &sweep, const std::vector<size_t> &points,
                                  const std::string &name) {
  std::vector<std::string> values;
  for (const size_t i : points)
    if (std::string value = valueOf(sweep.points[i], name);
        std::ranges::find(values, value) == values.end())
      values.push_back(std::move(value));
  // In a list of configurations they come in any order.
  if (std::ranges::all_of(values,
                          [](const std::string &each) { return toNumber(each).has_value(); }))
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

  double x(size_t column) const { return left + cellWidth * double(column); }
  double y(size_t row) const { return kTop + kCellHeight * double(row); }
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

static void addHeatHeads(SweepPicture &picture, const HeatGrid &grid,
                         const std::vector<std::string> &columns,
                         const std::vector<std::string> &rows) {
  for (size_t c = 0; c < columns.size(); ++c)
    picture.words.push_back({grid.x(c) + grid.cellWidth / 2.0, HeatGrid::kTop - 8.0,
                             shownValue(columns[c]), Anchor::Middle});
  for (size_t r = 0; r < rows.size(); ++r)
    picture.words.push_back({grid.left - 8.0, grid.y(r) + 17, shownValue(rows[r]), Anchor::End});
}

/// `ratio`: to the fastest of all.
static SweepMark heatCell(const HeatGrid &grid, size_t column, size_t row, size_t point,
                          double ratio) {
  SweepMark cell{point, SweepInk::Best, grid.x(column) + 1, grid.y(row) + 1};
  cell.width = grid.cellWidth - 2;
  cell.height = HeatGrid::kCellHeight - 2;
  // Twice the fastest time and more is as faint as can be.
  cell.strength = std::clamp(2 - ratio, 0.0, 1.0) * 0.75 + 0.05;
  cell.number = fmt::format("{:.2f}", ratio);
  return cell;
}

SweepPicture sweepHeatPicture(const Sweep &sweep, const std::vector<size_t> &points,
                              const std::string &columnName, const std::string &rowName) {
  const std::optional<size_t> fastest = fastestOf(sweep, points);
  if (!fastest)
    return {};
  const std::vector<std::string> columns = valuesAt(sweep, points, columnName);
  const std::vector<std::string> rows = valuesAt(sweep, points, rowName);
  const HeatGrid grid{std::max(62, widestLabel(columns) + 10),
                      std::max({90, widestLabel(rows) + 16, 8 * int(rowName.size())})};
  SweepPicture picture;
  picture.title = "time over " + columnName + " and " + rowName;
  picture.width = grid.x(columns.size()) + 8;
  picture.height = grid.y(rows.size()) + 8;
  picture.words = {{double(grid.left), 14, columnName, Anchor::Start, SweepInk::Name},
                   {0, HeatGrid::kTop - 8.0, rowName, Anchor::Start, SweepInk::Name}};
  addHeatHeads(picture, grid, columns, rows);
  for (size_t r = 0; r < rows.size(); ++r)
    for (size_t c = 0; c < columns.size(); ++c) {
      std::vector<size_t> here;
      for (const size_t i : points)
        if (valueOf(sweep.points[i], columnName) == columns[c] &&
            valueOf(sweep.points[i], rowName) == rows[r])
          here.push_back(i);
      if (const auto best = fastestOf(sweep, here))
        picture.marks.push_back(heatCell(
            grid, c, r, *best, *sweep.points[*best].medianUs / *sweep.points[*fastest].medianUs));
      else
        picture.words.push_back({grid.x(c) + grid.cellWidth / 2.0, grid.y(r) + 17, "–",
                                 Anchor::Middle, SweepInk::Faint});
    }
  return picture;
}

static void addRegisterTicks(SweepPicture &picture, const Scale &x) {
  constexpr double kBelow = 18;
  std::vector<double> marked = {x.low};
  if (x.high > x.low)
    marked.insert(marked.end(), {(x.low + x.high) / 2, x.high});
  for (const double value : marked)
    picture.words.push_back(
        {x(value), kBottom + kBelow, fmt::format("{:.0f}", value), Anchor::Middle});
}

SweepPicture sweepScatterPicture(const Sweep &sweep, const std::vector<size_t> &points) {
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
  SweepPicture picture = plot("time over registers");
  addVerticalAxis(picture, y, ticks, "µs");
  addHorizontalName(picture, "registers of a thread");
  addRegisterTicks(picture, x);
  const std::vector<size_t> best = paretoFront(sweep, points);
  SweepLine front{SweepInk::Front, {}};
  for (const size_t i : best)
    front.spots.push_back({x(double(*sweep.points[i].registers)), y(*sweep.points[i].medianUs)});
  picture.lines.push_back(std::move(front));
  for (const size_t i : shown) {
    const bool isBest = std::ranges::find(best, i) != best.end();
    picture.marks.push_back({i, isBest ? SweepInk::Best : SweepInk::Other,
                             x(double(*sweep.points[i].registers)), y(*sweep.points[i].medianUs),
                             isBest ? 4.5 : 3.5});
  }
  return picture;
}

/// Rates over each size that is swept.
static void addLinePictures(const Sweep &sweep, std::vector<SweepPicture> &pictures) {
  const SweepQuantity quantities[] = {
      {"GB/s", &SweepPoint::gbPerS, sweep.copyGbPerS, "copy between two buffers"},
      {"TFLOP/s", &SweepPoint::tflopPerS},
      {"µs", &SweepPoint::medianUs}};
  for (const SweepAxis &axis : sweep.axes) {
    if (std::ranges::find(sweep.sizes, axis.names.front()) == sweep.sizes.end())
      continue;
    for (const SweepQuantity &quantity : quantities)
      if (SweepPicture picture = sweepLinePicture(sweep, axis, quantity); !picture.isEmpty())
        pictures.push_back(std::move(picture));
  }
}

/// Pairs of names for heat maps, those with the most values first; the one with more values goes
/// downwards, since pages are narrow.
static std::vector<std::pair<std::string, std::string>>
mappedNames(const Sweep &sweep, const std::vector<size_t> &group) {
  std::vector<std::pair<std::string, size_t>> names;
  for (const std::string &name : sweepNames(sweep))
    if (const size_t count = valuesAt(sweep, group, name).size(); count > 1)
      names.emplace_back(name, count);
  std::ranges::stable_sort(names, {}, &std::pair<std::string, size_t>::second);
  std::vector<std::pair<std::string, std::string>> pairs;
  for (size_t row = names.size(); row-- > 1;)
    for (size_t column = row; column-- > 0 && pairs.size() < kMostMaps;)
      pairs.emplace_back(names[column].first, names[row].first);
  return pairs;
}

static void addGroupPictures(const Sweep &sweep, const std::vector<size_t> &group,
                             std::vector<SweepPicture> &pictures) {
  const auto add = [&](SweepPicture picture, const char *caption) {
    if (picture.isEmpty())
      return;
    picture.caption = caption;
    picture.group = groupName(sweep, group);
    pictures.push_back(std::move(picture));
  };
  add(sweepScatterPicture(sweep, group),
      "The line joins the points of which no other one is faster "
      "without more registers.");
  for (const auto &[column, row] : mappedNames(sweep, group))
    add(sweepHeatPicture(sweep, group, column, row),
        "Time as a multiple of the fastest; of the other values, the fastest.");
}

std::vector<SweepPicture> sweepPictures(const Sweep &sweep) {
  std::vector<SweepPicture> pictures;
  addLinePictures(sweep, pictures);
  const std::vector<std::vector<size_t>> groups = sweepGroups(sweep);
  for (size_t i = 0; i < std::min(groups.size(), kMostGroups); ++i)
    addGroupPictures(sweep, groups[i], pictures);
  return pictures;
}

size_t numGroupsWithoutPictures(const Sweep &sweep) {
  const size_t numGroups = sweepGroups(sweep).size();
  return numGroups > kMostGroups ? numGroups - kMostGroups : 0;
}

} // namespace tilescope::profiler
