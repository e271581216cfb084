// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
// What is pointed at in a pipeline's picture, and what belongs to it.
#include "compiler/access/picture/PipelinePicture.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace tilescope::compiler::access {

int itemAt(const PipelinePicture &picture, GridPoint point) {
  int found = -1;
  for (size_t i = 0; i < picture.items().size(); ++i) {
    const GridRect &rect = picture.items()[i].rect;
    // Of two that touch it is the narrower one.
    if (point.x >= rect.x && point.x < rect.x + rect.width && point.y >= rect.y &&
        point.y < rect.y + rect.height &&
        (found < 0 || rect.width < picture.items()[static_cast<size_t>(found)].rect.width))
      found = static_cast<int>(i);
  }
  return found;
}

static bool isOneRow(const PipelinePicture &picture, int x, int y) {
  return picture.items()[static_cast<size_t>(x)].row == picture.items()[static_cast<size_t>(y)].row;
}

/// The nearest item of the next row that has any.
static int besideRow(const PipelinePicture &picture, int item, bool isDown) {
  const auto &items = picture.items();
  const PipelineItem &from = items[static_cast<size_t>(item)];
  int best = item;
  double least = INFINITY;
  for (size_t i = 0; i < items.size(); ++i) {
    if (isDown ? items[i].row <= from.row : items[i].row >= from.row)
      continue;
    const double rows = std::abs(static_cast<double>(items[i].row) - static_cast<double>(from.row));
    const double away = rows * 2 * picture.width() + std::abs(items[i].rect.x - from.rect.x);
    if (away < least) {
      least = away;
      best = static_cast<int>(i);
    }
  }
  return best;
}

int itemFrom(const PipelinePicture &picture, int item, Step step) {
  const int last = static_cast<int>(picture.items().size()) - 1;
  if (last < 0)
    return -1;
  const int from = std::clamp(item, 0, last);
  const auto toEdge = [&](int by) {
    int at = from;
    while (at + by >= 0 && at + by <= last && isOneRow(picture, at + by, from))
      at += by;
    return at;
  };
  switch (step) {
  case Step::Left:
    return from > 0 && isOneRow(picture, from - 1, from) ? from - 1 : from;
  case Step::Right:
    return from < last && isOneRow(picture, from + 1, from) ? from + 1 : from;
  case Step::Up:
    return besideRow(picture, from, false);
  case Step::Down:
    return besideRow(picture, from, true);
  case Step::RowStart:
    return toEdge(-1);
  case Step::RowEnd:
    return toEdge(1);
  case Step::First:
    return 0;
  case Step::Last:
    return last;
  }
  return from;
}

namespace {
/// Links in their order, each once.
class Chosen {
public:
  explicit Chosen(const LoopFacts &facts) : m_facts(facts) {}
  void add(auto fits) {
    for (size_t i = 0; i < m_facts.links.size(); ++i)
      if (fits(m_facts.links[i]))
        m_chosen.insert(i);
  }
  /// What the readers of chosen blocks do with them.
  void addUses() {
    std::set<uint32_t> readers;
    for (const size_t i : m_chosen)
      if (m_facts.links[i].kind == LoopLinkKind::Feeds)
        readers.insert(m_facts.links[i].to);
    add([&](const LoopLink &link) {
      return link.kind == LoopLinkKind::Feeds && readers.contains(link.from) &&
             m_facts.operationOf(link.from).action == LoopAction::LocalLoad;
    });
  }
  std::vector<LoopLink> links() const {
    std::vector<LoopLink> links;
    for (const size_t i : m_chosen)
      links.push_back(m_facts.links[i]);
    return links;
  }

private:
  const LoopFacts &m_facts;
  std::set<size_t> m_chosen;
};
} // namespace

std::vector<LoopLink> linksOf(const LoopFacts &facts, uint32_t event) {
  Chosen chosen(facts);
  chosen.add([&](const LoopLink &link) { return link.from == event; });
  chosen.addUses();
  chosen.add([&](const LoopLink &link) { return link.to == event; });
  return chosen.links();
}

std::vector<LoopLink> linksOfIteration(const LoopFacts &facts, int32_t iteration) {
  Chosen chosen(facts);
  chosen.add([&](const LoopLink &link) {
    const LoopEvent &from = facts.events[link.from], &to = facts.events[link.to];
    if (isCopy(facts.operationOf(link.from).action))
      return from.forIteration == iteration && link.kind != LoopLinkKind::Frees;
    return link.kind == LoopLinkKind::Signals ? to.iteration == iteration
           : link.kind == LoopLinkKind::Frees ? false
                                              : from.iteration == iteration;
  });
  return chosen.links();
}

std::vector<int32_t> iterationsOf(const LoopFacts &facts) {
  std::set<int32_t> found;
  for (const LoopEvent &event : facts.events)
    if (event.iteration >= 0 && event.iteration != kBehindLoop && !event.isInGap)
      found.insert(event.iteration);
  return {found.begin(), found.end()};
}

int colorOf(const LoopFacts &facts, uint32_t number) {
  const LoopEvent &event = facts.events[number];
  const int32_t iteration = event.forIteration >= 0 && event.forIteration != kBehindLoop
                                ? event.forIteration
                                : event.iteration;
  return iteration < 0 || iteration == kBehindLoop ? -1 : iteration % kPipelineColors;
}

} // namespace tilescope::compiler::access
