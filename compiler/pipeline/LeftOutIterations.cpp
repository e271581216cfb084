// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/LeftOutIterations.h"

#include <algorithm>
#include <map>
#include <set>

namespace tilescope::compiler {

namespace {
/// What is left of the events without some iterations.
class RemainingEvents {
public:
  RemainingEvents(int32_t first, int32_t last, LoopFacts &facts)
      : m_first(first), m_last(last), m_facts(facts), m_numbers(facts.events.size(), kNone) {}
  void take();

private:
  static constexpr uint32_t kNone = UINT32_MAX;
  bool isDropped(const LoopEvent &event) const {
    return event.iteration >= m_first && event.iteration < m_last;
  }
  bool isBehind(const LoopEvent &event) const { return event.iteration >= m_last; }
  void findGaps();
  void keep();
  void renumber(std::vector<LoopEvent> &kept);

  int32_t m_first, m_last;
  LoopFacts &m_facts;
  /// Of the events that are kept; `kNone` for others.
  std::vector<uint32_t> m_numbers;
  /// When the events of each group of warps go on.
  std::map<int32_t, uint32_t> m_gaps;
  /// Left out, but something that is kept waits for them or uses what they leave.
  std::set<uint32_t> m_underWay;
};
} // namespace

void RemainingEvents::findGaps() {
  const auto partitionOf = [&](const LoopEvent &event) {
    return m_facts.operations[event.operation].partition;
  };
  for (const LoopEvent &event : m_facts.events)
    if (isBehind(event))
      m_gaps.emplace(partitionOf(event), event.time);
  for (const LoopLink &link : m_facts.links) {
    const LoopEvent &from = m_facts.events[link.from];
    const LoopOperation &operation = m_facts.operations[from.operation];
    const bool lasts =
        operation.isAsync || isCopy(operation.action) || operation.action == LoopAction::LocalStore;
    const bool isUsed = link.kind == LoopLinkKind::Ends || link.kind == LoopLinkKind::Feeds;
    if (lasts && isUsed && isDropped(from) && isBehind(m_facts.events[link.to]) &&
        m_gaps.contains(operation.partition))
      m_underWay.insert(link.from);
  }
}

void RemainingEvents::keep() {
  std::vector<std::pair<uint32_t, uint32_t>> kept;
  for (uint32_t i = 0; i < m_facts.events.size(); ++i) {
    LoopEvent &event = m_facts.events[i];
    if (m_underWay.contains(i)) {
      event.isInGap = true;
      event.time = event.begin = m_gaps[m_facts.operations[event.operation].partition];
    } else if (isDropped(event)) {
      continue;
    }
    kept.emplace_back(event.time, i);
  }
  std::ranges::stable_sort(kept, {}, [&](const auto &each) {
    return std::pair(each.first, !m_facts.events[each.second].isInGap);
  });
  std::vector<LoopEvent> events;
  for (const auto &[time, i] : kept) {
    m_numbers[i] = static_cast<uint32_t>(events.size());
    events.push_back(m_facts.events[i]);
  }
  renumber(events);
  m_facts.events = std::move(events);
}

/// No time passes in the gap.
void RemainingEvents::renumber(std::vector<LoopEvent> &kept) {
  std::map<uint32_t, uint32_t> times;
  for (const LoopEvent &event : kept)
    times.emplace(event.time, 0);
  for (uint32_t next = 0; auto &[before, now] : times)
    now = next++;
  for (LoopEvent &event : kept) {
    const uint32_t waited = event.time - event.begin;
    event.time = times[event.time];
    event.begin = event.time - std::min(waited, event.time);
    if (event.end >= 0)
      event.end = static_cast<int32_t>(m_numbers[static_cast<size_t>(event.end)]);
  }
}

void RemainingEvents::take() {
  findGaps();
  keep();
  std::vector<LoopLink> links;
  for (const LoopLink &link : m_facts.links)
    if (m_numbers[link.from] != kNone && m_numbers[link.to] != kNone)
      links.push_back({m_numbers[link.from], m_numbers[link.to], link.kind});
  m_facts.links = std::move(links);
}

void dropIterations(int32_t first, int32_t last, LoopFacts &facts) {
  RemainingEvents(first, last, facts).take();
}

} // namespace tilescope::compiler
