// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/access/arrays/TouchWords.h"

#include "compiler/access/arrays/PastEnd.h"
#include "compiler/access/picture/AccessWords.h"
#include "compiler/support/BytesText.h"
#include "compiler/support/JoinedRanges.h"

#include <algorithm>
#include <cstdio>
#include <tuple>

namespace tilescope::compiler::access {

std::string arrayTitle(const TouchedArrays &arrays, size_t array) {
  return arrays.argument(array).name + " " + indexText(arrays.argument(array).shape);
}

std::string elementText(const TouchedArrays &arrays, size_t array, const ArrayElement &element) {
  return arrays.argument(array).name + indexText(indexOf(arrays.shape(array), element));
}

static std::string decimal(double value) {
  char text[32];
  snprintf(text, sizeof(text), value >= 100 ? "%.0f" : "%.1f", value);
  return text;
}

/// `row 3`, `rows 0 to 31`, `every 2nd …` as `rows 0 to 62 in steps of 2`.
static std::string rangeText(const char *noun, int64_t first, int64_t count, int64_t step) {
  if (count == 1)
    return std::string(noun) + " " + std::to_string(first);
  std::string text = std::string(noun) + "s " + std::to_string(first) + " to " +
                     std::to_string(first + (count - 1) * step);
  return step == 1 ? text : text + " in steps of " + std::to_string(step);
}

std::string sliceText(const ArrayShape &shape, int64_t slice) {
  std::vector<int64_t> index = indexOf(shape, {slice, 0, 0});
  index.resize(shape.extents.size() > 2 ? shape.extents.size() - 2 : 0);
  return indexText(index);
}

std::string boxText(const ArrayShape &shape, const ElementBox &box) {
  if (shape.extents.size() <= 1) {
    const int64_t first = numberOf(shape, {0, box.first[1], box.first[2]});
    const int64_t last = numberOf(shape, {0, box.end(1) - 1, box.end(2) - 1});
    if (last - first + 1 == box.numElements())
      return rangeText("element", first, box.numElements(), 1);
    return std::to_string(box.numElements()) + " elements between " + std::to_string(first) +
           " and " + std::to_string(last);
  }
  std::string text = rangeText("row", box.first[1], box.count[1], box.step[1]) + ", " +
                     rangeText("column", box.first[2], box.count[2], box.step[2]);
  if (shape.slices == 1)
    return text;
  if (box.count[0] > 1)
    return std::to_string(box.count[0]) + " slices: " + text;
  return "slice " + sliceText(shape, box.first[0]) + ": " + text;
}

/// Pieces of a vector that follow each other without gaps, in one.
static std::string vectorText(const ArrayShape &shape, const std::vector<ElementBox> &boxes) {
  int64_t first = shape.numElements, last = 0, count = 0;
  for (const ElementBox &box : boxes) {
    first = std::min(first, numberOf(shape, {0, box.first[1], box.first[2]}));
    last = std::max(last, numberOf(shape, {0, box.end(1) - 1, box.end(2) - 1}));
    count += box.numElements();
  }
  return last - first + 1 == count ? rangeText("element", first, count, 1) : "";
}

/// Of a vector: the boxes without steps as stretches of elements, first and behind the last, those
/// that overlap or follow each other joined. Nothing where one has steps.
static std::vector<std::pair<int64_t, int64_t>> stretchesOf(const ArrayShape &shape,
                                                            const std::vector<ElementBox> &boxes) {
  std::vector<std::pair<int64_t, int64_t>> parts;
  for (const ElementBox &box : boxes) {
    parts.emplace_back(numberOf(shape, {0, box.first[1], box.first[2]}),
                       numberOf(shape, {0, box.end(1) - 1, box.end(2) - 1}) + 1);
    if (parts.back().second - parts.back().first != box.numElements())
      return {};
  }
  using Stretch = std::pair<int64_t, int64_t>;
  return joinedRanges(std::move(parts), &Stretch::first, &Stretch::second);
}

/// `reads …`; nothing when there is nothing.
static std::string partText(const TouchedArrays &arrays, size_t array,
                            const std::vector<TouchedBox> &touched, TouchKind kind) {
  std::vector<ElementBox> boxes;
  for (const TouchedBox &each : touched) {
    const TouchAccess &access = arrays.access(each.access);
    const bool isOf = kind == TouchKind::Read ? access.reads : access.writes;
    if (isOf)
      boxes.push_back(each.box);
  }
  std::ranges::sort(boxes, {},
                    [](const ElementBox &box) { return std::tie(box.first, box.count, box.step); });
  boxes.erase(std::ranges::unique(boxes).begin(), boxes.end());
  if (boxes.empty())
    return "";
  const ArrayShape &shape = arrays.shape(array);
  const std::string verb = kind == TouchKind::Read ? "reads " : "writes ";
  const auto more = [](size_t rest) {
    return rest == 0
               ? std::string()
               : " and " + std::to_string(rest) + (rest == 1 ? " more piece" : " more pieces");
  };
  if (shape.extents.size() <= 1) {
    if (const auto parts = stretchesOf(shape, boxes); !parts.empty())
      return verb +
             rangeText("element", parts.front().first, parts.front().second - parts.front().first,
                       1) +
             more(parts.size() - 1);
    if (const std::string text = vectorText(shape, boxes); !text.empty())
      return verb + text;
  }
  return verb + boxText(shape, boxes.front()) + more(boxes.size() - 1);
}

std::string touchText(const TouchedArrays &arrays, size_t array, uint64_t program,
                      const StepRange &steps) {
  const std::vector<TouchedBox> boxes = arrays.boxes(array, program, steps);
  const std::string read = partText(arrays, array, boxes, TouchKind::Read);
  const std::string written = partText(arrays, array, boxes, TouchKind::Written);
  const std::string outside = outsideText(countOutside(arrays, array, program, steps));
  std::string text = read + (read.empty() || written.empty() ? "" : "; ") + written;
  if (text.empty() && !outside.empty())
    text = "touches nothing of it";
  if (text.empty())
    return arrays.boxes(array, program, {}).empty() ? "does not touch it" : "not in this iteration";
  return text + (outside.empty() ? "" : "; " + outside);
}

std::string programTotals(const TouchedArrays &arrays, uint64_t program, const StepRange &steps) {
  uint64_t read = 0, written = 0;
  for (size_t array = 0; array < arrays.numArrays(); ++array) {
    const auto bytes = static_cast<uint64_t>(arrays.shape(array).elementBytes);
    read += bytes * numTouched(arrays, array, program, TouchKind::Read, steps);
    written += bytes * numTouched(arrays, array, program, TouchKind::Written, steps);
  }
  if (read == 0 && written == 0)
    return "touches nothing";
  const std::string reads = read == 0 ? "" : "reads " + bytesText(read);
  return reads + (read == 0 || written == 0 ? "" : ", ") +
         (written == 0 ? "" : "writes " + bytesText(written));
}

static std::string programs(uint64_t count) {
  return std::to_string(count) + (count == 1 ? " program" : " programs");
}

std::string countsText(const TouchCounts &counts, TouchKind kind) {
  const std::string verb = kind == TouchKind::Read ? "read" : "written";
  if (counts.different() == 0)
    return "not " + verb;
  std::string text = verb + " by ";
  if (counts.least() == counts.most())
    return text + programs(counts.most());
  const double mean = static_cast<double>(counts.total()) / static_cast<double>(counts.different());
  return text + std::to_string(counts.least()) + " to " + programs(counts.most()) + ", " +
         decimal(mean) + " on average";
}

std::string waveText(const WaveTraffic &traffic) {
  std::string text = programs(traffic.programs.count()) +
                     (traffic.programs.count() == 1 ? " reads " : " read ") +
                     bytesText(traffic.bytesRead);
  if (traffic.bytesDifferent == 0)
    return text;
  if (traffic.bytesRead == traffic.bytesDifferent)
    return text + ", each byte once";
  return text + "; " + bytesText(traffic.bytesDifferent) +
         " of it is different: each byte is read " + decimal(traffic.reuse()) + " times";
}

std::string wavesText(const WavesTraffic &traffic) {
  return (traffic.waves == 1 ? std::string("The only wave fetches ")
                             : "All " + std::to_string(traffic.waves) + " waves together fetch ") +
         bytesText(traffic.bytesDifferent) + " of the " + bytesText(traffic.bytesRead) + " that " +
         (traffic.waves == 1 ? "its" : "their") + " programs read; " +
         bytesText(traffic.bytesLeast) + " is the least";
}

std::string reuseText(const ReuseDistance &reuse) {
  return "A cache of " + bytesText(reuse.cacheBytes) + " fetches " + bytesText(reuse.bytesFetched) +
         " of the " + bytesText(reuse.bytesRead) + " that waves read";
}

std::string distanceText(const TouchCounts &distances) {
  if (distances.most() == 0)
    return "no other wave reads an element again";
  return "up to " + bytesText(distances.most() * kDistanceBytes) + " read between two uses";
}

} // namespace tilescope::compiler::access
