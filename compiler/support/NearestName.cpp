// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/support/NearestName.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>
#include <tuple>
#include <vector>

namespace tilescope {

/// In the longest words.
static constexpr size_t kMostMistakes = 3;

static char lowered(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

static bool isSameButForCase(std::string_view one, std::string_view other) {
  return std::ranges::equal(one, other, {}, lowered, lowered);
}

/// How many letters must be inserted, left out, replaced or exchanged with their neighbor to make
/// one word of the other.
static size_t numMistakes(std::string_view one, std::string_view other) {
  // The rows for one letter less, and for two.
  std::vector<size_t> before(other.size() + 1), last(other.size() + 1), row(other.size() + 1);
  std::iota(last.begin(), last.end(), size_t(0));
  for (size_t i = 1; i <= one.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= other.size(); ++j) {
      const bool isSame = lowered(one[i - 1]) == lowered(other[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (isSame ? 0 : 1)});
      const bool isExchanged = i > 1 && j > 1 && lowered(one[i - 1]) == lowered(other[j - 2]) &&
                               lowered(one[i - 2]) == lowered(other[j - 1]);
      if (isExchanged)
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(last);
    last.swap(row);
  }
  return last[other.size()];
}

/// Whether one word is a slip of the other: in a short word one letter too many, too few or out of
/// place; a wrong one only where enough others are right, for `min` is not a misspelling of `max`.
static bool isNear(std::string_view name, std::string_view candidate, size_t mistakes) {
  const size_t letters = std::min(name.size(), candidate.size());
  if (letters < 4 && name.size() == candidate.size())
    return mistakes == 0 ||
           (mistakes == 1 && std::is_permutation(name.begin(), name.end(), candidate.begin()));
  return mistakes <= (letters < 6 ? 1 : letters < 12 ? 2 : kMostMistakes);
}

std::string_view closestName(std::string_view name, std::span<const std::string_view> candidates) {
  std::string_view best;
  size_t fewest = std::numeric_limits<size_t>::max();
  for (std::string_view candidate : candidates) {
    const size_t shorter = std::min(name.size(), candidate.size());
    const size_t longer = std::max(name.size(), candidate.size());
    if (longer - shorter > kMostMistakes || candidate == name)
      continue;
    const size_t mistakes = numMistakes(name, candidate);
    // A single letter is told by its case alone: `Y` may be `y`.
    if (shorter < 2 && mistakes > 0)
      continue;
    if (mistakes < fewest && isNear(name, candidate, mistakes))
      std::tie(best, fewest) = std::pair(candidate, mistakes);
  }
  return best;
}

std::string_view shortenedName(std::string_view name,
                               std::span<const std::string_view> candidates) {
  constexpr size_t kLeast = 4;
  std::string_view best;
  for (const std::string_view candidate : candidates) {
    const std::string_view shorter =
        std::min(name, candidate, [](auto one, auto other) { return one.size() < other.size(); });
    const std::string_view longer = shorter.data() == name.data() ? candidate : name;
    const bool isPlain = std::ranges::all_of(longer, [](char c) { return c >= 'a' && c <= 'z'; });
    if (shorter.size() >= kLeast && shorter != longer && isPlain && longer.starts_with(shorter) &&
        shorter.size() > best.size())
      best = candidate;
  }
  return best;
}

/// A name in which a letter that stands several times in a row stands once.
static std::string withoutRepeats(std::string_view name) {
  std::string letters(name);
  letters.erase(std::ranges::unique(letters).begin(), letters.end());
  return letters;
}

std::string_view repeatedName(std::string_view name, std::span<const std::string_view> candidates) {
  const auto isMeant = [&](std::string_view candidate) {
    return candidate != name && withoutRepeats(candidate) == withoutRepeats(name) &&
           (candidate.size() == name.size() + 1 || name.size() == candidate.size() + 1);
  };
  const auto found = std::ranges::find_if(candidates, isMeant);
  return found == candidates.end() ? std::string_view() : *found;
}

bool extendsName(std::string_view one, std::string_view other) {
  const std::string_view shorter = one.size() < other.size() ? one : other;
  const std::string_view longer = one.size() < other.size() ? other : one;
  return longer.starts_with(shorter) && longer.substr(shorter.size()).starts_with('_');
}

static std::vector<std::string_view> partsOf(std::string_view name) {
  std::vector<std::string_view> parts;
  while (true) {
    const size_t end = std::min(name.find('_'), name.size());
    parts.push_back(name.substr(0, end));
    if (end == name.size())
      return parts;
    name.remove_prefix(end + 1);
  }
}

static std::string_view withoutNumber(std::string_view name) {
  const size_t last = name.find_last_not_of("0123456789");
  return name.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

bool areSiblings(std::string_view one, std::string_view other) {
  constexpr size_t kShort = 2;
  if (one == other)
    return false;
  const std::string_view stem = withoutNumber(one);
  if (stem == withoutNumber(other) && stem != one && stem != other)
    return true;
  const std::vector<std::string_view> left = partsOf(one), right = partsOf(other);
  size_t numDifferent = 0;
  if (left.size() != right.size() || left.size() < 2)
    return false;
  for (size_t i = 0; i < left.size(); ++i) {
    // `X_ptr` is `x_ptr` in another case.
    if (isSameButForCase(left[i], right[i]))
      continue;
    ++numDifferent;
    if (left[i].empty() || right[i].empty() || left[i].size() > kShort || right[i].size() > kShort)
      return false;
  }
  return numDifferent == 1;
}

std::string_view closestInList(std::string_view name, std::string_view list) {
  std::vector<std::string_view> names;
  while (!list.empty()) {
    const size_t comma = std::min(list.find(", "), list.size());
    names.push_back(list.substr(0, comma));
    list.remove_prefix(std::min(comma + 2, list.size()));
  }
  return closestName(name, names);
}

} // namespace tilescope
