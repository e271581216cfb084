// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/report/LayoutGroups.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tilescope::app {

using compiler::LayoutFacts;

/// How much the picture of a value says about the kernel; the lowest is shown first.
static int rankOf(const LayoutFacts &facts) {
  if (facts.op.ends_with("load"))
    return 0;
  if (facts.op == "arith.constant" || facts.op == "tt.make_range")
    return 3;
  return facts.elementType.starts_with("!tt.ptr") || facts.elementBits == 1 ? 2 : 1;
}

/// In registers an element takes one place whatever its size; in shared memory its size decides
/// over its banks.
static bool looksAlike(const LayoutFacts &a, const LayoutFacts &b) {
  return a.layout == b.layout && a.shape == b.shape && a.shared == b.shared &&
         (!a.shared || a.elementBits == b.elementBits);
}

std::vector<LayoutGroup> layoutGroups(const std::vector<LayoutFacts> &layouts) {
  std::vector<LayoutGroup> groups;
  for (const LayoutFacts &facts : layouts) {
    auto same = std::ranges::find_if(
        groups, [&](const LayoutGroup &group) { return looksAlike(*group.facts(), facts); });
    if (same == groups.end())
      same = groups.insert(same, LayoutGroup());
    same->values.push_back(&facts);
  }
  const auto isBefore = [](const LayoutFacts *a, const LayoutFacts *b) {
    return rankOf(*a) < rankOf(*b);
  };
  for (LayoutGroup &group : groups)
    std::ranges::stable_sort(group.values, isBefore);
  std::ranges::stable_sort(groups, isBefore, &LayoutGroup::facts);
  return groups;
}

std::string groupTitle(const LayoutGroup &group) {
  std::vector<std::string> types;
  for (const LayoutFacts *facts : group.values) {
    std::string type = fmt::format("{}{}[{}]", facts->shared ? "shared memory " : "",
                                   facts->elementType, fmt::join(facts->shape, ", "));
    if (std::ranges::find(types, type) == types.end())
      types.push_back(std::move(type));
  }
  return fmt::format("{}", fmt::join(types, ", "));
}

std::string groupValues(const LayoutGroup &group) {
  constexpr size_t kMost = 40;
  // Names are unique within a function or a loop's body only: each is listed once, with a count.
  std::vector<std::pair<std::string, int>> counted;
  for (const LayoutFacts *facts : group.values) {
    std::string name = fmt::format("{} ({})", facts->value, facts->op);
    const auto known = std::ranges::find(counted, name, &std::pair<std::string, int>::first);
    if (known == counted.end())
      counted.emplace_back(std::move(name), 1);
    else
      ++known->second;
  }
  std::vector<std::string> names;
  for (const auto &[name, count] : counted)
    if (names.size() < kMost)
      names.push_back(count > 1 ? fmt::format("{} × {}", count, name) : name);
  const size_t more = counted.size() - names.size();
  return fmt::format("{}: {}{}.", group.values.size() == 1 ? "Value" : "Values",
                     fmt::join(names, ", "), more > 0 ? fmt::format(" and {} more", more) : "");
}

} // namespace tilescope::app
