// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/access/picture/AccessPicture.h"

#include "compiler/access/Transactions.h"

#include <algorithm>
#include <array>
#include <bit>
#include <tuple>

namespace tilescope::compiler::access {

static AccessPlan planOf(const AccessLanes &lanes, MemoryAction action) {
  AccessPlan plan;
  plan.action = action;
  DimList ins;
  LinearLayout::Columns columns;
  uint64_t all = 0;
  for (const auto &[in, images] : {std::pair(Dim::Register, &lanes.registers),
                                   {Dim::Lane, &lanes.lanes},
                                   {Dim::Warp, &lanes.warps}}) {
    ins.push_back({in, static_cast<uint8_t>(images->size())});
    for (const uint64_t image : *images) {
      columns.push_back(image);
      all |= image;
    }
  }
  plan.places =
      LinearLayout(ins, {{tensorDim(0), static_cast<uint8_t>(std::bit_width(all))}}, columns);
  static_cast<AccessCut &>(plan) = lanes;
  for (const auto &[interval, padding] : lanes.padding)
    plan.padding.push_back({interval, padding});
  return plan;
}

int PicturePlace::firstLane() const { return std::countr_zero(lanes); }
int PicturePlace::numLanes() const { return std::popcount(lanes); }

int RequestPicture::unitBytes() const {
  return static_cast<int>(isShared ? kBankBytes : kSectorBytes);
}

bool RequestPicture::followsOn(size_t line) const {
  return line > 0 && lines[line].address == lines[line - 1].address + kLineBytes;
}

std::vector<ByteRange> RequestPicture::unused(size_t line) const {
  std::vector<ByteRange> ranges;
  if (isShared)
    return ranges;
  auto place = std::ranges::lower_bound(places, line, {}, &PicturePlace::line);
  for (int sector = 0; sector < kLineBytes / kSectorBytes; ++sector) {
    if ((lines[line].units >> sector & 1) == 0)
      continue;
    int at = sector * static_cast<int>(kSectorBytes);
    const int end = at + static_cast<int>(kSectorBytes);
    for (; place != places.end() && place->line == line && place->begin < end; ++place) {
      if (place->begin > at)
        ranges.push_back({at, place->begin});
      at = std::max(at, place->end);
      // What reaches into the next sector is looked at there, too.
      if (place->end > end)
        break;
    }
    if (at < end)
      ranges.push_back({at, end});
  }
  return ranges;
}

int RequestPicture::numWords(int bank) const {
  return static_cast<int>(
      std::ranges::count_if(words, [&](const SharedWord &word) { return word.bank() == bank; }));
}

uint64_t RequestPicture::leastSectors() const {
  return (counts.bytesUsed + kSectorBytes - 1) / kSectorBytes;
}

AccessPicture::AccessPicture(const RecordedAccess &access, MemoryAction action)
    : m_plan(planOf(access.lanes, action)), m_instructions(m_plan), m_shape(access.shape) {}

std::vector<int64_t> blockIndex(uint32_t element, const std::vector<int64_t> &shape) {
  std::vector<int64_t> index(shape.size());
  int64_t rest = element;
  for (size_t dim = shape.size(); dim-- > 0;) {
    index[dim] = rest % shape[dim];
    rest /= shape[dim];
  }
  return index;
}

int64_t AccessPicture::addressOf(uint32_t element, const RecordedExecution *execution) const {
  if (!execution)
    return paddedOffset(element, m_plan.padding) * m_plan.elementBytes;
  if (!execution->addresses.empty())
    return element < execution->addresses.size() ? execution->addresses[element] : execution->base;
  int64_t address = execution->base;
  const std::vector<int64_t> index = blockIndex(element, m_shape);
  for (size_t dim = 0; dim < std::min(index.size(), execution->step.size()); ++dim)
    address += index[dim] * execution->step[dim];
  return address;
}

static bool isOn(uint32_t element, const RecordedExecution *execution) {
  constexpr uint32_t kBits = 64;
  if (!execution || element / kBits >= execution->mask.size())
    return true;
  return (execution->mask[element / kBits] >> (element % kBits) & 1) != 0;
}

/// The bits of `number` at the places of those of `mask`, from the lowest on.
static uint32_t spread(uint32_t number, uint32_t mask) {
  uint32_t result = 0;
  for (; mask != 0; mask &= mask - 1, number >>= 1)
    if (number & 1)
      result |= mask & -mask;
  return result;
}

std::vector<AccessPicture::Asked> AccessPicture::askedBy(size_t index,
                                                         const RecordedExecution *execution) const {
  std::vector<Asked> all;
  const auto elements = static_cast<uint32_t>(m_plan.vectorElements);
  const auto images = m_plan.places.columns(Dim::Register);
  const std::span<const uint32_t> lanes = m_instructions.lanes(index);
  for (int lane = 0; lane < kLanes; ++lane) {
    const uint32_t first = lanes[static_cast<size_t>(lane)];
    if (first == WarpInstructions::kIdle || !isOn(first, execution))
      continue;
    for (uint32_t part = 0; part < elements; ++part) {
      const uint32_t moved = spread(part, m_plan.vectorRegisters);
      uint32_t element = m_plan.vectorRegisters ? first : first + part;
      for (size_t bit = 0; bit < images.size(); ++bit)
        if (moved >> bit & 1)
          element ^= static_cast<uint32_t>(images[bit]);
      all.push_back({lane, element,
                     m_instructions.registers()[index % m_instructions.perWarp()] | moved,
                     addressOf(element, execution)});
    }
  }
  return all;
}

/// Adds the parts of an element, of which each lies in its own line, without the line's number.
static void addParts(int64_t begin, int64_t end, PicturePlace place,
                     std::vector<PicturePlace> &places) {
  while (begin < end) {
    const int64_t line = begin & -kLineBytes;
    const int64_t stop = std::min(end, line + kLineBytes);
    place.address = begin;
    place.begin = static_cast<int>(begin - line);
    place.end = static_cast<int>(stop - line);
    places.push_back(place);
    begin = stop;
  }
}

/// Sorts the places, joins those that several lanes ask for, and finds the lines.
static void findLines(std::vector<PicturePlace> places, RequestPicture &picture) {
  std::ranges::sort(places, {}, [](const PicturePlace &place) {
    return std::tuple(place.address, place.end, place.firstLane());
  });
  const int unit = picture.unitBytes();
  for (PicturePlace &place : places) {
    const int64_t line = place.address - place.begin;
    if (picture.lines.empty() || picture.lines.back().address != line)
      picture.lines.push_back({line, 0});
    place.line = picture.lines.size() - 1;
    for (int at = place.begin / unit; at <= (place.end - 1) / unit; ++at)
      picture.lines.back().units |= 1u << at;
    PicturePlace *before = picture.places.empty() ? nullptr : &picture.places.back();
    if (before && before->address == place.address && before->end == place.end)
      before->lanes |= place.lanes;
    else
      picture.places.push_back(place);
  }
}

/// Which passes move each place.
static void markPasses(RequestPicture &picture) {
  for (PicturePlace &place : picture.places) {
    const int64_t end = place.address + place.end - place.begin;
    auto word = std::ranges::lower_bound(picture.words, place.address & -kBankBytes, {},
                                         &SharedWord::address);
    for (; word != picture.words.end() && word->address < end; ++word)
      if (word->lanes & place.lanes) {
        place.passes |= uint64_t(1) << word->pass;
        place.conflicts |= word->conflicts;
      }
  }
}

static void findRuns(RequestPicture &picture) {
  for (size_t i = 0; i < picture.places.size(); ++i) {
    const PicturePlace &place = picture.places[i];
    const PicturePlace *before = i == 0 ? nullptr : &picture.places[i - 1];
    if (before && before->line == place.line && before->end == place.begin &&
        before->lanes == place.lanes && before->passes == place.passes)
      ++picture.runs.back().numPlaces;
    else
      picture.runs.push_back({i, 1});
  }
}

RequestPicture AccessPicture::request(size_t warp, size_t instruction,
                                      const RecordedExecution *execution) const {
  RequestPicture picture;
  picture.isShared = isShared(m_plan.action);
  picture.elementBytes = m_plan.elementBytes;
  picture.vectorBytes = m_plan.vectorBytes();
  if (warp >= warps().size() || instruction >= numInstructions())
    return picture;
  picture.warp = warps()[warp];
  picture.firstRegister = m_instructions.registers()[instruction];
  std::vector<PicturePlace> places;
  std::array<int64_t, kLanes> starts;
  starts.fill(kOff);
  for (const Asked &asked : askedBy(warp * numInstructions() + instruction, execution)) {
    if (int64_t &start = starts[static_cast<size_t>(asked.lane)]; start == kOff)
      start = asked.address;
    PicturePlace place;
    place.lanes = 1u << asked.lane;
    place.element = asked.element;
    place.registerNumber = asked.registerNumber;
    addParts(asked.address, asked.address + m_plan.elementBytes, place, places);
  }
  picture.counts = picture.isShared ? countShared(starts, picture.vectorBytes, m_plan.action)
                                    : countGlobal(starts, picture.vectorBytes);
  findLines(std::move(places), picture);
  if (picture.isShared) {
    picture.words = sharedWords(starts, picture.vectorBytes, m_plan.action);
    markPasses(picture);
  }
  findRuns(picture);
  return picture;
}

std::pair<size_t, size_t> AccessPicture::firstRequest(const RecordedExecution *execution) const {
  for (size_t warp = 0; warp < warps().size(); ++warp)
    for (size_t instruction = 0; instruction < numInstructions(); ++instruction)
      for (const uint32_t first : m_instructions.lanes(warp * numInstructions() + instruction))
        if (first != WarpInstructions::kIdle && isOn(first, execution))
          return {warp, instruction};
  return {0, 0};
}

} // namespace tilescope::compiler::access
