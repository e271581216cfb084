// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/interpreter/StoreConflicts.h"

#include "compiler/interpreter/Access.h"

#include <algorithm>

namespace tilescope::compiler::interpreter {

bool mayOverlap(std::span<const int64_t> steps, std::span<const int64_t> extents) {
  std::array<std::pair<int64_t, int64_t>, kMaxRank> sorted;
  size_t count = 0;
  for (size_t d = 0; d < steps.size(); ++d)
    if (extents[d] > 1)
      sorted[count++] = {std::abs(steps[d]), extents[d]};
  std::sort(sorted.begin(), sorted.begin() + static_cast<ptrdiff_t>(count));
  // How far the dimensions with smaller steps lead.
  int64_t reach = 0;
  for (size_t i = 0; i < count; ++i) {
    if (sorted[i].first <= reach)
      return true;
    reach += sorted[i].first * (sorted[i].second - 1);
  }
  return false;
}

/// "[2, 7]": an element of a block.
static std::string indexText(size_t element, const Shape &shape) {
  std::string text;
  auto rest = static_cast<int64_t>(element);
  for (int d = shape.rank - 1; d >= 0; --d) {
    text = std::to_string(rest % shape.extent[d]) + (text.empty() ? "" : ", ") + text;
    rest /= shape.extent[d];
  }
  return "[" + text + "]";
}

static bool isIncreasing(const ScatteredStore &store, size_t count) {
  int64_t last = INT64_MIN;
  for (size_t i = 0; i < count; ++i) {
    if (store.mask && !store.mask[i])
      continue;
    if (store.addresses[i] <= last)
      return false;
    last = store.addresses[i];
  }
  return true;
}

/// Whether storing an element changes what is in memory.
static bool changesMemory(const ScatteredStore &store, size_t index, const Place &place) {
  std::array<std::byte, 8> encoded{};
  const size_t size = memorySize(store.element);
  // What reaches past the end is reported elsewhere.
  if (static_cast<uint64_t>(place.offset) + size > place.area->size)
    return false;
  store.write(encoded.data(), static_cast<int64_t>(size),
              store.values + index * storageSize(store.element), true, 1);
  return std::memcmp(encoded.data(), place.area->data + place.offset, size) != 0;
}

/// Of two elements of the store that go to `element`, an element of an argument.
static std::string conflictText(const ScatteredStore &store, size_t earlier, size_t later,
                                const std::string &element, bool isEqual) {
  const std::string both =
      indexText(earlier, store.shape) + " and " + indexText(later, store.shape) + " of its block";
  return isEqual
             ? "this store updates `" + element + "` twice, from elements " + both +
                   ", after one load of both: only one of the updates is left"
             : "this store writes `" + element + "` twice, with different values: from elements " +
                   both + "; which one stays is not defined";
}

bool reportConflict(const Instruction &op, Frame &frame, const ScatteredStore &store) {
  const auto count = static_cast<size_t>(store.shape.count);
  if (!frame.execution().findConflicts || isIncreasing(store, count))
    return false;
  const size_t size = storageSize(store.element);
  AddressTable &table = frame.addressTable();
  table.begin(count);
  for (size_t i = 0; i < count; ++i) {
    if (store.mask && !store.mask[i])
      continue;
    const uint32_t earlier = table.put(store.addresses[i], static_cast<uint32_t>(i));
    if (earlier == AddressTable::kAbsent)
      continue;
    const bool isEqual =
        std::memcmp(store.values + earlier * size, store.values + i * size, size) == 0;
    if (isEqual && !store.isUpdate)
      continue;
    const Place place = findPlace(frame.execution(), store.addresses[i]);
    // Elements outside are reported as such elsewhere.
    if (!place.area || place.offset < 0 || place.offset >= static_cast<int64_t>(place.area->size))
      continue;
    if (isEqual && !changesMemory(store, i, place))
      continue;
    InterpreterFinding finding;
    finding.kind = InterpreterFindingKind::StoreConflict;
    finding.isWithinProgram = true;
    finding.argument = place.area->name;
    finding.offset = finding.lastOffset =
        place.offset / static_cast<int64_t>(memorySize(store.element));
    const auto extent = static_cast<int64_t>(place.area->size / memorySize(store.element));
    finding.message =
        conflictText(store, earlier, i, elementName(*place.area, finding.offset, extent), isEqual);
    frame.reportOnce(op, std::move(finding));
    return true;
  }
  return false;
}

} // namespace tilescope::compiler::interpreter
