// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/SweepAxes.h"

#include "app/commands/SelectionOptions.h"
#include "compiler/support/Text.h"

#include <algorithm>
#include <charconv>
#include <set>

namespace tilescope::app {

using profiler::SweepAxis;

/// Of one range.
static constexpr size_t kMostValues = 10'000;

static std::optional<int64_t> toInteger(std::string_view text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return value;
}

namespace {
/// `FROM:TO`, `FROM:TO:STEP`, `FROM:TO:*FACTOR`; both ends belong to it.
struct Range {
  int64_t from = 0;
  int64_t to = 0;
  int64_t step = 1;
  bool isFactor = false;
};
} // namespace

static std::optional<Range> toRange(const std::string &text) {
  const size_t first = text.find(':');
  if (first == std::string::npos)
    return std::nullopt;
  const size_t second = text.find(':', first + 1);
  const auto from = toInteger(text.substr(0, first));
  const auto to =
      toInteger(text.substr(first + 1, second == std::string::npos ? second : second - first - 1));
  if (!from || !to)
    return std::nullopt;
  Range range{*from, *to};
  if (second == std::string::npos)
    return range;
  std::string step = text.substr(second + 1);
  range.isFactor = step.starts_with('*');
  const auto size = toInteger(range.isFactor ? step.substr(1) : step);
  if (!size)
    return std::nullopt;
  range.step = *size;
  return range;
}

static Status addRange(const Range &range, const std::string &text, SweepAxis &axis) {
  const bool isEndless = range.isFactor ? range.step < 2 || range.from < 1 : range.step < 1;
  if (isEndless || range.to < range.from)
    return Error{ErrorCode::Usage, "`" + text + "` is not a range",
                 "ranges go up: `256:1024:256` by steps, `1024:65536:*4` by factors"};
  for (int64_t value = range.from; value <= range.to;) {
    if (axis.values.size() == kMostValues)
      return Error{ErrorCode::Usage,
                   "`" + text + "` has more than " + std::to_string(kMostValues) + " values", ""};
    axis.values.push_back({std::to_string(value)});
    const bool isLast =
        range.isFactor ? value > range.to / range.step : value > range.to - range.step;
    if (isLast)
      break;
    value = range.isFactor ? value * range.step : value + range.step;
  }
  return {};
}

/// `(64, 32)` or `64, 32`: a value for each name.
static Status addTuple(std::string text, SweepAxis &axis) {
  const std::string whole = text;
  if (text.starts_with('(') && text.ends_with(')'))
    text = text.substr(1, text.size() - 2);
  std::vector<std::string> values;
  for (const std::string_view part : splitAtCommas(text))
    values.emplace_back(trimmed(part));
  if (values.size() != axis.names.size() || std::ranges::count(values, "") > 0)
    return Error{ErrorCode::Usage,
                 "`" + whole + "` is not a value for each of " + std::to_string(axis.names.size()) +
                     " names",
                 "names that change together take tuples: `(64, 32)`"};
  axis.values.push_back(std::move(values));
  return {};
}

Result<SweepAxis> readAxis(std::string_view names, const std::vector<std::string> &values) {
  SweepAxis axis;
  for (const std::string_view name : splitAtCommas(names))
    axis.names.emplace_back(trimmed(name));
  const std::set<std::string> different(axis.names.begin(), axis.names.end());
  if (different.contains("") || different.size() != axis.names.size())
    return Error{ErrorCode::Usage, "`" + std::string(names) + "` is not a list of names", ""};
  for (const std::string &value : values) {
    const std::optional<Range> range =
        axis.names.size() == 1 ? toRange(std::string(trimmed(value))) : std::nullopt;
    Status status = range                    ? addRange(*range, value, axis)
                    : axis.names.size() == 1 ? Status()
                                             : addTuple(std::string(trimmed(value)), axis);
    if (!status)
      return status.error();
    if (!range && axis.names.size() == 1)
      axis.values.push_back({std::string(trimmed(value))});
  }
  for (const std::vector<std::string> &value : axis.values)
    if (std::ranges::count(value, "") > 0)
      return Error{ErrorCode::Usage, "`" + std::string(names) + "` has an empty value", ""};
  if (axis.values.empty())
    return Error{ErrorCode::Usage, "`" + std::string(names) + "` has no values", ""};
  // A value is measured once.
  std::set<std::vector<std::string>> seen;
  std::erase_if(axis.values,
                [&](const std::vector<std::string> &value) { return !seen.insert(value).second; });
  return axis;
}

Result<SweepAxis> parseOver(const std::string &text) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos)
    return Error{ErrorCode::Usage, "`--over`: `" + text + "` is not of the form NAME=LIST",
                 "`--over BLOCK=128,256`, `--over n=1024:65536:*4`, "
                 "`--over BLOCK_M,BLOCK_N=(64,32),(128,64)`"};
  std::vector<std::string> values;
  for (const std::string_view value : splitAtCommas(std::string_view(text).substr(equals + 1)))
    values.emplace_back(value);
  Result<SweepAxis> axis = readAxis(text.substr(0, equals), values);
  if (!axis)
    return Error{ErrorCode::Usage, "`--over`: " + axis.error().message, axis.error().hint};
  return axis;
}

static bool haveCommonName(const std::vector<std::string> &left,
                           const std::vector<std::string> &right) {
  return std::ranges::any_of(
      left, [&](const std::string &name) { return std::ranges::find(right, name) != right.end(); });
}

/// The configurations as one axis; what one of them does not state, it leaves.
static SweepAxis configurationAxis(const std::vector<compiler::Configuration> &configurations) {
  std::set<std::string> names;
  for (const compiler::Configuration &each : configurations)
    for (const auto *part : {&each.constexprs, &each.options})
      for (const auto &[name, value] : *part)
        names.insert(name);
  SweepAxis axis;
  axis.names.assign(names.begin(), names.end());
  for (const compiler::Configuration &each : configurations) {
    std::vector<std::string> values;
    for (const std::string &name : axis.names) {
      std::string value;
      for (const auto *part : {&each.constexprs, &each.options})
        if (const auto found = part->find(name); found != part->end())
          value = found->second;
      values.push_back(std::move(value));
    }
    // Two that differ in what is not read here are one.
    if (std::ranges::find(axis.values, values) == axis.values.end())
      axis.values.push_back(std::move(values));
  }
  return axis;
}

Result<std::vector<SweepAxis>> axesOf(const std::vector<profiler::LaunchSweep> &stated,
                                      const std::vector<SweepAxis> &overs,
                                      const std::vector<compiler::Configuration> &configurations) {
  std::vector<SweepAxis> axes;
  for (const profiler::LaunchSweep &sweep : stated) {
    std::vector<std::string> values;
    for (const profiler::LaunchExpression &value : sweep.values)
      values.push_back(value.text);
    Result<SweepAxis> axis = readAxis(sweep.name, values);
    if (!axis)
      return Error{ErrorCode::InvalidInput, "`[sweep]`: " + axis.error().message,
                   axis.error().hint};
    if (std::ranges::none_of(
            overs, [&](const SweepAxis &over) { return haveCommonName(over.names, axis->names); }))
      axes.push_back(std::move(*axis));
  }
  axes.insert(axes.end(), overs.begin(), overs.end());
  for (size_t i = 0; i < axes.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (haveCommonName(axes[i].names, axes[j].names))
        return Error{ErrorCode::Usage, "two axes of the sweep have the same name",
                     "give all values of a name in one list"};
  if (configurations.size() > 1) {
    SweepAxis tuned = configurationAxis(configurations);
    // One that says nothing, or always the same, is nothing to sweep over.
    if (tuned.values.size() > 1 && std::ranges::none_of(axes, [&](const SweepAxis &axis) {
          return haveCommonName(axis.names, tuned.names);
        }))
      axes.push_back(std::move(tuned));
  }
  return axes;
}

} // namespace tilescope::app
