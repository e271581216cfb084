// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/access/Transactions.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <tuple>

namespace tilescope::compiler::access {
namespace {

/// The most units that one request can touch: two for each lane, where accesses are not aligned.
constexpr size_t kMostUnits = 2 * kLanes;

/// Distinct numbers, few of them and often in order.
class FewNumbers {
public:
  void add(int64_t number) {
    if (m_size > 0 && m_numbers[m_size - 1] == number)
      return;
    m_isSorted &= m_size == 0 || m_numbers[m_size - 1] < number;
    m_numbers[m_size++] = number;
  }
  size_t count() {
    if (!m_isSorted) {
      std::sort(m_numbers.begin(), m_numbers.begin() + m_size);
      m_size = std::unique(m_numbers.begin(), m_numbers.begin() + m_size) - m_numbers.begin();
      m_isSorted = true;
    }
    return m_size;
  }

private:
  std::array<int64_t, kMostUnits> m_numbers;
  size_t m_size = 0;
  bool m_isSorted = true;
};

/// Units of `size` bytes that the lanes touch; `size` is a power of two, at least as large as an
/// access.
size_t countUnits(std::span<const int64_t> lanes, int bytes, int64_t size) {
  FewNumbers units;
  for (const int64_t lane : lanes) {
    if (lane == kOff)
      continue;
    units.add(lane & -size);
    if (const int64_t last = (lane + bytes - 1) & -size; last != (lane & -size))
      units.add(last);
  }
  return units.count();
}

/// Bytes that at least one lane asks for. Accesses are aligned to their size, so that they are
/// equal or apart; what is not aligned is taken as apart.
uint64_t countUsed(std::span<const int64_t> lanes, int bytes) {
  FewNumbers places;
  for (const int64_t lane : lanes)
    if (lane != kOff)
      places.add(lane);
  return places.count() * static_cast<uint64_t>(bytes);
}

/// The most distinct words that one bank must deliver.
uint64_t busiestBank(std::span<const int64_t> lanes, int bytes) {
  std::array<std::array<int64_t, kMostUnits>, kBanks> words;
  std::array<uint8_t, kBanks> numWords{};
  for (const int64_t lane : lanes) {
    if (lane == kOff)
      continue;
    for (int64_t word = lane / kBankBytes; word <= (lane + bytes - 1) / kBankBytes; ++word) {
      const auto bank = static_cast<size_t>(word % kBanks);
      auto &known = words[bank];
      const auto end = known.begin() + numWords[bank];
      if (std::find(known.begin(), end, word) == end)
        known[numWords[bank]++] = word;
    }
  }
  return *std::max_element(numWords.begin(), numWords.end());
}

/// Whether each lane asks for the same address as the one `distance` beside it.
bool agreeInPairs(std::span<const int64_t> lanes, size_t distance) {
  for (size_t lane = 0; lane < lanes.size(); ++lane) {
    const size_t other = lane ^ distance;
    if (other < lanes.size() && lanes[lane] != kOff && lanes[other] != kOff &&
        lanes[lane] != lanes[other])
      return false;
  }
  return true;
}

/// Calls `visit(first, lanes)` for all lanes that go together, in order.
template <typename Visit>
void forEachGroup(std::span<const int64_t> lanes, int bytes, MemoryAction action, Visit visit) {
  const size_t group = std::min<size_t>(kLanes, static_cast<size_t>(kLineBytes / bytes));
  for (size_t first = 0; first < lanes.size(); first += 2 * group) {
    const auto both = lanes.subspan(first, std::min(2 * group, lanes.size() - first));
    const size_t half = std::min(group, both.size());
    if (half == both.size() ||
        (action == MemoryAction::SharedLoad && (agreeInPairs(both, 1) || agreeInPairs(both, 2)))) {
      visit(first, both);
      continue;
    }
    visit(first, both.first(half));
    visit(first + half, both.subspan(half));
  }
}

/// Adds the words of lanes that go together; `pass` is their first. Returns how many passes they
/// take.
int addWords(std::span<const int64_t> lanes, size_t firstLane, int bytes, int pass,
             std::vector<SharedWord> &words) {
  std::array<int, kBanks> numWords{};
  const size_t before = words.size();
  for (size_t lane = 0; lane < lanes.size(); ++lane) {
    if (lanes[lane] == kOff)
      continue;
    for (int64_t at = lanes[lane] & -kBankBytes; at < lanes[lane] + bytes; at += kBankBytes) {
      const auto known = std::find_if(words.begin() + static_cast<int64_t>(before), words.end(),
                                      [at](const SharedWord &word) { return word.address == at; });
      SharedWord &word = known == words.end() ? words.emplace_back(SharedWord{at}) : *known;
      if (word.lanes == 0)
        word.pass = pass + numWords[static_cast<size_t>(word.bank())]++;
      word.lanes |= 1u << (firstLane + lane);
    }
  }
  for (size_t i = before; i < words.size(); ++i)
    words[i].conflicts = numWords[static_cast<size_t>(words[i].bank())] > 1;
  return *std::ranges::max_element(numWords);
}

/// What an instruction costs in any memory: nothing but itself where no lane is on.
AccessCounts countRequest(std::span<const int64_t> lanes, int bytes) {
  AccessCounts counts;
  counts.instructions = 1;
  assert(lanes.size() <= kLanes);
  const auto numOff = static_cast<size_t>(std::ranges::count(lanes, kOff));
  if (numOff == lanes.size())
    return counts;
  counts.requests = 1;
  counts.bytesAsked = (lanes.size() - numOff) * static_cast<uint64_t>(bytes);
  counts.bytesUsed = countUsed(lanes, bytes);
  return counts;
}

uint64_t divideUp(uint64_t value, uint64_t divisor) { return (value + divisor - 1) / divisor; }

} // namespace

AccessCounts countGlobal(std::span<const int64_t> lanes, int bytes) {
  AccessCounts counts = countRequest(lanes, bytes);
  counts.sectors = countUnits(lanes, bytes, kSectorBytes);
  counts.lines = countUnits(lanes, bytes, kLineBytes);
  counts.bytesFetched = counts.sectors * kSectorBytes;
  return counts;
}

AccessCounts countShared(std::span<const int64_t> lanes, int bytes, MemoryAction action) {
  AccessCounts counts = countRequest(lanes, bytes);
  forEachGroup(lanes, bytes, action, [&](size_t, std::span<const int64_t> together) {
    const uint64_t passes = busiestBank(together, bytes);
    counts.wavefronts += passes;
    // What all banks can give at once, and nothing to lanes that are off.
    const uint64_t used = countUsed(together, bytes);
    counts.minimumWavefronts += std::min(passes, divideUp(used, kLineBytes));
  });
  return counts;
}

std::vector<SharedWord> sharedWords(std::span<const int64_t> lanes, int bytes,
                                    MemoryAction action) {
  std::vector<SharedWord> words;
  int pass = 0;
  forEachGroup(lanes, bytes, action, [&](size_t first, std::span<const int64_t> together) {
    pass += addWords(together, first, bytes, pass, words);
  });
  std::ranges::sort(words, {},
                    [](const SharedWord &word) { return std::tuple(word.address, word.pass); });
  return words;
}

} // namespace tilescope::compiler::access
