// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/UnreadRegion.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace tilescope::compiler {

static constexpr int64_t kWordBits = 64;

ElementMarks::ElementMarks(int64_t size)
    : m_size(size), m_words(static_cast<size_t>((size + kWordBits - 1) / kWordBits)) {}

void ElementMarks::mark(int64_t begin, int64_t end) {
  begin = std::max<int64_t>(begin, 0);
  end = std::min(end, m_size);
  while (begin < end) {
    const int64_t first = begin % kWordBits;
    const int64_t number = std::min(kWordBits - first, end - begin);
    const uint64_t ones = number == kWordBits ? ~uint64_t{0} : (uint64_t{1} << number) - 1;
    std::atomic<uint64_t> &word = m_words[static_cast<size_t>(begin / kWordBits)];
    const uint64_t bits = ones << first;
    if ((word.load(std::memory_order_relaxed) & bits) != bits)
      word.fetch_or(bits, std::memory_order_relaxed);
    begin += number;
  }
}

bool ElementMarks::has(int64_t element) const {
  const uint64_t word =
      m_words[static_cast<size_t>(element / kWordBits)].load(std::memory_order_relaxed);
  return (word >> (element % kWordBits)) & 1;
}

int64_t ElementMarks::count() const {
  return std::accumulate(m_words.begin(), m_words.end(), int64_t{0},
                         [](int64_t sum, const std::atomic<uint64_t> &word) {
                           return sum + std::popcount(word.load(std::memory_order_relaxed));
                         });
}

/// By axis: whether an index is that of any marked element.
static std::vector<std::vector<bool>> projections(const ElementMarks &marks,
                                                  const std::vector<int64_t> &shape) {
  std::vector<std::vector<bool>> found;
  for (const int64_t extent : shape)
    found.emplace_back(static_cast<size_t>(extent));
  std::vector<size_t> index(shape.size());
  for (int64_t element = 0; element < marks.size(); ++element) {
    if (marks.has(element))
      for (size_t axis = 0; axis < shape.size(); ++axis)
        found[axis][index[axis]] = true;
    for (size_t axis = shape.size(); axis-- > 0;) {
      if (++index[axis] < static_cast<size_t>(shape[axis]))
        break;
      index[axis] = 0;
    }
  }
  return found;
}

namespace {
struct Stretch {
  int64_t begin = 0, end = 0;
  int64_t size() const { return end - begin; }
};
} // namespace

static std::vector<Stretch> stretchesOf(const std::vector<bool> &values, bool wanted) {
  std::vector<Stretch> runs;
  for (size_t i = 0; i < values.size(); ++i) {
    const auto at = static_cast<int64_t>(i);
    if (values[i] != wanted)
      continue;
    if (!runs.empty() && runs.back().end == at)
      ++runs.back().end;
    else
      runs.push_back({at, at + 1});
  }
  return runs;
}

/// Whether ranges of one length lie at one distance; the last may be cut off.
static bool areRegular(const std::vector<Stretch> &runs) {
  for (size_t i = 1; i < runs.size(); ++i) {
    const bool isLast = i + 1 == runs.size();
    const bool isAlike =
        isLast ? runs[i].size() <= runs[0].size() : runs[i].size() == runs[0].size();
    if (!isAlike || runs[i].begin - runs[i - 1].begin != runs[1].begin - runs[0].begin)
      return false;
  }
  return true;
}

/// What is left out along an axis, if that does not look meant.
static std::optional<UnreadRange> rangeOf(const std::vector<bool> &isRead, size_t axis,
                                          const std::set<int64_t> &bounds) {
  const std::vector<Stretch> missing = stretchesOf(isRead, false), read = stretchesOf(isRead, true);
  // Every second one, every row of a padded array, or what an index picks.
  const bool isComb = read.size() > 1 && std::ranges::all_of(read, [](const Stretch &stretch) {
                        return stretch.size() == 1;
                      });
  if (isComb || !areRegular(missing) || bounds.contains(missing.front().begin))
    return std::nullopt;
  UnreadRange range{axis, missing.front().begin, missing.front().end};
  range.numRanges = static_cast<int64_t>(missing.size());
  for (const Stretch &stretch : missing)
    range.count += stretch.size();
  return range;
}

/// All that follows an element in row-major order is left out, and no more.
static bool isPrefix(const ElementMarks &marks, int64_t count) {
  for (int64_t element = 0; element < count; ++element)
    if (!marks.has(element))
      return false;
  return true;
}

std::optional<UnreadRegion> unreadRegion(const ElementMarks &marks,
                                         const std::vector<int64_t> &shape,
                                         const std::vector<std::set<int64_t>> &bounds) {
  const int64_t count = marks.count();
  if (count == 0 || count == marks.size())
    return std::nullopt;
  UnreadRegion region{marks.size(), marks.size() - count, {}};
  const std::vector<std::vector<bool>> axes = projections(marks, shape);
  int64_t product = 1;
  for (const std::vector<bool> &axis : axes)
    product *= std::ranges::count(axis, true);
  if (product != count) {
    const bool isMeant =
        std::ranges::any_of(bounds, [&](const auto &each) { return each.contains(count); });
    if (isMeant || !isPrefix(marks, count))
      return std::nullopt;
    region.isFlat = true;
    region.ranges.push_back({0, count, marks.size(), 1, region.numUnread});
    return region;
  }
  int64_t others = 1;
  for (size_t axis = 0; axis < axes.size(); ++axis) {
    const auto range = std::ranges::count(axes[axis], false) > 0
                           ? rangeOf(axes[axis], axis, bounds[axis])
                           : std::nullopt;
    others *= shape[axis] - (range ? range->count : 0);
    if (range)
      region.ranges.push_back(*range);
  }
  // Of an axis that is meant so, nothing is counted.
  region.numUnread = region.numElements - others;
  return region.ranges.empty() ? std::nullopt : std::optional(std::move(region));
}

static std::string sliceText(const UnreadRange &range, const std::string &name,
                             const std::vector<int64_t> &shape) {
  std::string text = "`" + name + "[";
  for (size_t axis = 0; axis < shape.size(); ++axis)
    text += (axis > 0 ? ", " : "") +
            (axis == range.axis ? std::to_string(range.begin) + ":" + std::to_string(range.end)
                                : std::string(":"));
  return text + "]`";
}

/// "the last 16 of its 80 columns".
static std::string shareText(const UnreadRange &range, const std::vector<int64_t> &shape) {
  const int64_t extent = shape[range.axis];
  const std::string_view place = range.numRanges > 1   ? ""
                                 : range.end == extent ? "the last "
                                 : range.begin == 0    ? "the first "
                                                       : "";
  const std::string places = shape.size() == 1  ? "elements"
                             : shape.size() > 2 ? "places along axis " + std::to_string(range.axis)
                             : range.axis == 0  ? "rows"
                                                : "columns";
  return std::string(place) + std::to_string(range.count) + " of its " + std::to_string(extent) +
         " " + places;
}

static std::string indexText(int64_t element, const std::vector<int64_t> &shape) {
  std::string text;
  for (size_t axis = shape.size(); axis-- > 0;) {
    text = std::to_string(element % shape[axis]) + (text.empty() ? "" : ", ") + text;
    element /= shape[axis];
  }
  return text;
}

std::string regionText(const UnreadRegion &region, const std::string &name,
                       const std::vector<int64_t> &shape) {
  const std::string share = std::to_string(region.numUnread) + " of " +
                            (shape.size() > 1 ? "" : "its ") + std::to_string(region.numElements) +
                            " elements";
  if (region.isFlat)
    return "`" + name + "` from `" + name + "[" + indexText(region.ranges.front().begin, shape) +
           "]` on: " + share;
  std::string text;
  for (const UnreadRange &range : region.ranges) {
    text += (text.empty() ? "" : ", nor ") + sliceText(range, name, shape);
    if (range.numRanges > 1)
      text += " and " + std::to_string(range.numRanges - 1) +
              (range.numRanges == 2 ? " more range like it" : " more ranges like it");
    text += ", " + shareText(range, shape);
  }
  return shape.size() > 1 ? text + ": " + share : text;
}

} // namespace tilescope::compiler
