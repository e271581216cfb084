// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/access/picture/PipelinePicture.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace tilescope::compiler::access {

/// Whether the event is drawn as a bar in the row of a slot.
static bool fillsSlot(const LoopFacts &facts, const LoopEvent &event) {
  const LoopAction action = facts.operations[event.operation].action;
  if (event.buffer < 0 || event.slot < 0 || !(isCopy(action) || action == LoopAction::LocalStore))
    return false;
  const LoopBuffer &buffer = facts.buffers[static_cast<size_t>(event.buffer)];
  return !buffer.isBarrier && !buffer.isInTensorMemory;
}

static PipelineRowKind kindOf(LoopAction action) {
  if (isWait(action) || action == LoopAction::CloseGroup || action == LoopAction::Expect ||
      action == LoopAction::Arrive)
    return PipelineRowKind::Waits;
  if (action == LoopAction::Product)
    return PipelineRowKind::Products;
  return action == LoopAction::LocalLoad ? PipelineRowKind::Reads : PipelineRowKind::Other;
}

std::vector<PipelineRow> PipelinePicture::rowsOf(const LoopFacts &facts) {
  std::set<std::pair<int32_t, PipelineRowKind>> used;
  std::vector<bool> isFilled(facts.buffers.size());
  for (const LoopEvent &event : facts.events)
    if (fillsSlot(facts, event))
      isFilled[static_cast<size_t>(event.buffer)] = true;
    else
      used.insert({facts.operations[event.operation].partition,
                   kindOf(facts.operations[event.operation].action)});
  std::vector<PipelineRow> rows;
  const bool isOneGroup = facts.partitions.size() < 2;
  if (isOneGroup && !facts.events.empty())
    rows.push_back({PipelineRowKind::Head, 0});
  for (size_t i = 0; i < facts.buffers.size(); ++i)
    for (int32_t slot = 0; isFilled[i] && slot < facts.buffers[i].slots; ++slot)
      rows.push_back({PipelineRowKind::Slot, -1, static_cast<int32_t>(i), slot});
  for (int32_t group = 0; group < static_cast<int32_t>(facts.partitions.size()); ++group) {
    if (!isOneGroup)
      rows.push_back({PipelineRowKind::Head, group});
    for (const PipelineRowKind kind : {PipelineRowKind::Waits, PipelineRowKind::Reads,
                                       PipelineRowKind::Products, PipelineRowKind::Other})
      if (used.contains({group, kind}))
        rows.push_back({kind, group});
  }
  return rows;
}

std::vector<PipelineBand> PipelinePicture::bandsOf(const LoopFacts &facts) {
  std::vector<PipelineBand> bands;
  uint32_t end = 0;
  for (const LoopEvent &event : facts.events)
    end = std::max(end, event.time + 1);
  for (int32_t group = 0; group < static_cast<int32_t>(facts.partitions.size()); ++group) {
    const size_t first = bands.size();
    for (const LoopEvent &event : facts.events) {
      if (facts.operations[event.operation].partition != group || event.isInGap)
        continue;
      if (bands.size() > first && bands.back().iteration == event.iteration) {
        bands.back().end = event.time + 1;
        continue;
      }
      PipelineBand band{group, event.iteration, event.begin, event.time + 1, false};
      if (bands.size() > first) {
        const int32_t before = bands.back().iteration;
        band.isBehindGap = event.iteration != kBehindLoop && event.iteration != before + 1;
        band.begin = std::max(event.begin, bands.back().end);
        bands.back().end = band.begin;
      }
      bands.push_back(band);
    }
    if (bands.size() > first && facts.partitions.size() < 2)
      bands.back().end = end;
  }
  return bands;
}

/// When an event's work is over, in time; where nobody waits for it, at the end, or where iterations
/// are left out.
uint32_t PipelinePicture::overAt(const LoopFacts &facts, const LoopEvent &event) const {
  const compiler::LoopOperation &operation = facts.operations[event.operation];
  if (event.isOff || !operation.isAsync)
    return event.time + 1;
  if (event.end >= 0)
    return std::max(event.time + 1, facts.events[static_cast<size_t>(event.end)].time);
  for (const PipelineBand &band : m_bands)
    if (band.isBehindGap && band.partition == operation.partition && event.time < band.begin)
      return band.begin;
  return m_numTimes;
}

PipelinePicture::PipelinePicture(const LoopFacts &facts, const Size &size, int32_t iteration)
    : m_size(size), m_rows(rowsOf(facts)), m_bands(bandsOf(facts)),
      m_itemOf(facts.events.size(), -1) {
  for (const LoopEvent &event : facts.events)
    m_numTimes = std::max(m_numTimes, event.time + 1);
  chooseTimes(facts, iteration);
  // What was filled is kept until the last reader has it.
  std::vector<uint32_t> heldUntil(facts.events.size(), 0);
  for (const LoopLink &link : facts.links)
    if (link.kind == LoopLinkKind::Feeds)
      heldUntil[link.from] = std::max(heldUntil[link.from], overAt(facts, facts.events[link.to]));
  for (uint32_t event = 0; event < facts.events.size(); ++event)
    addItem(facts, event, heldUntil);
  std::ranges::sort(m_items, {},
                    [](const PipelineItem &item) { return std::pair(item.row, item.event); });
  layLanes();
  for (size_t i = 0; i < m_items.size(); ++i)
    m_itemOf[m_items[i].event] = static_cast<int>(i);
  for (const LoopLink &link : facts.links) {
    const LoopEvent &reader = facts.events[link.to];
    const int item = m_itemOf[link.from];
    if (link.kind != LoopLinkKind::Feeds || item < 0 || reader.time < m_first ||
        reader.time >= m_last || !fillsSlot(facts, facts.events[link.from]))
      continue;
    const GridRect &bar = m_items[static_cast<size_t>(item)].rect;
    m_marks.push_back({link.to, {xOf(reader.time) + m_column / 2, bar.y + bar.height / 2}});
  }
}

/// All of it, where that fits, else what lies around an iteration and its copies.
void PipelinePicture::chooseTimes(const LoopFacts &facts, int32_t iteration) {
  m_last = m_numTimes;
  const auto fitting = static_cast<uint32_t>(
      std::max(1.0, std::floor(m_size.width / std::max(1.0, m_size.leastColumn))));
  if (fitting < m_numTimes) {
    uint32_t begin = m_numTimes, end = 0;
    for (const LoopEvent &event : facts.events)
      if (event.iteration == iteration || event.forIteration == iteration) {
        begin = std::min(begin, event.begin);
        end = std::max(end, event.time + 1);
      }
    const uint32_t middle = begin < end ? (begin + end) / 2 : 0;
    m_first = std::min(middle - std::min(middle, fitting / 2), m_numTimes - fitting);
    m_last = m_first + fitting;
  }
  m_column = m_size.width / std::max(1.0, static_cast<double>(m_last - m_first));
}

size_t PipelinePicture::rowFor(const LoopFacts &facts, const LoopEvent &event) const {
  PipelineRow wanted{PipelineRowKind::Slot, -1, event.buffer, event.slot};
  if (!fillsSlot(facts, event))
    wanted = {kindOf(facts.operations[event.operation].action),
              facts.operations[event.operation].partition};
  return static_cast<size_t>(std::ranges::find(m_rows, wanted) - m_rows.begin());
}

void PipelinePicture::addItem(const LoopFacts &facts, uint32_t number,
                              const std::vector<uint32_t> &heldUntil) {
  const LoopEvent &event = facts.events[number];
  const size_t row = rowFor(facts, event);
  const uint32_t over = overAt(facts, event);
  const uint32_t begin = std::max(std::min(event.begin, event.time), m_first);
  const uint32_t last = fillsSlot(facts, event) ? std::max(over, heldUntil[number]) : over;
  const uint32_t from =
      isWait(facts.operations[event.operation].action) ? begin : std::max(event.time, m_first);
  const uint32_t to = std::min(last, m_last);
  if (row >= m_rows.size() || from >= to)
    return;
  PipelineItem item{number, row, {}, 0};
  item.rect = {xOf(from), this->row(row).y, xOf(to) - xOf(from), m_size.rowHeight};
  item.ready = std::clamp(xOf(over), item.rect.x, item.rect.x + item.rect.width);
  m_items.push_back(item);
}

/// What overlaps in a row shares its height.
void PipelinePicture::layLanes() {
  for (auto first = m_items.begin(); first != m_items.end();) {
    const auto last = std::find_if(
        first, m_items.end(), [&](const PipelineItem &item) { return item.row != first->row; });
    std::vector<double> ends;
    std::vector<size_t> lanes;
    for (auto item = first; item != last; ++item) {
      const auto free =
          std::ranges::find_if(ends, [&](double end) { return end <= item->rect.x + 1e-6; });
      lanes.push_back(static_cast<size_t>(free - ends.begin()));
      if (free == ends.end())
        ends.push_back(0);
      ends[lanes.back()] = item->rect.x + item->rect.width;
    }
    const double height = m_size.rowHeight / static_cast<double>(ends.size());
    for (size_t i = 0; i < lanes.size(); ++i) {
      (first + static_cast<ptrdiff_t>(i))->rect.y += static_cast<double>(lanes[i]) * height;
      (first + static_cast<ptrdiff_t>(i))->rect.height = height;
    }
    first = last;
  }
}

GridRect PipelinePicture::row(size_t index) const {
  return {0, static_cast<double>(index) * m_size.rowHeight, m_size.width, m_size.rowHeight};
}

double PipelinePicture::xOf(uint32_t time) const {
  const uint32_t within = std::clamp(time, m_first, m_last);
  return static_cast<double>(within - m_first) * m_column;
}

double PipelinePicture::roomEnd(size_t item) const {
  const PipelineItem &of = m_items[item];
  double end = m_size.width;
  for (size_t next = item + 1; next < m_items.size() && m_items[next].row == of.row; ++next)
    if (m_items[next].rect.y == of.rect.y)
      end = std::min(end, std::max(m_items[next].rect.x, of.rect.x + of.rect.width));
  return end;
}

std::optional<double> PipelinePicture::labelLeft(size_t item, double from, double width,
                                                 double halfMark) const {
  const GridRect &bar = m_items[item].rect;
  const double end = bar.x + bar.width;
  std::vector<double> covered{end + halfMark};
  for (const PipelineMark &mark : m_marks)
    if (mark.middle.y > bar.y && mark.middle.y < bar.y + bar.height && mark.middle.x > bar.x &&
        mark.middle.x < end)
      covered.push_back(mark.middle.x);
  std::ranges::sort(covered);
  double begin = std::max(from, bar.x), left = begin, widest = -1;
  for (const double middle : covered) {
    if (middle - halfMark - begin > widest) {
      widest = middle - halfMark - begin;
      left = begin;
    }
    begin = std::max(begin, middle + halfMark);
  }
  return widest < width ? std::nullopt : std::optional(left + (widest - width) / 2);
}

int PipelinePicture::itemOf(uint32_t event) const {
  return event < m_itemOf.size() ? m_itemOf[event] : -1;
}

/// A copy or product is left where it is over, also by who waits for its slot; a slot where it is
/// read, other work in its middle.
GridPoint PipelinePicture::beginOf(const LoopFacts &facts, const LoopLink &link) const {
  const PipelineItem &from = m_items[static_cast<size_t>(m_itemOf[link.from])];
  const double y = from.rect.y + from.rect.height / 2;
  const bool isOver = link.kind == LoopLinkKind::Ends ||
                      (link.kind == LoopLinkKind::Frees && facts.events[link.from].end >= 0);
  if (isOver)
    return {from.ready, y};
  if (link.kind == LoopLinkKind::Feeds && fillsSlot(facts, facts.events[link.from]))
    return {xOf(facts.events[link.to].time) + m_column / 2, y};
  return {from.rect.x + std::min(from.rect.width, m_column) / 2, y};
}

GridPoint PipelinePicture::endOf(const LoopFacts &facts, const LoopLink &link) const {
  const PipelineItem &to = m_items[static_cast<size_t>(m_itemOf[link.to])];
  return {xOf(facts.events[link.to].time) + m_column / 2, to.rect.y + to.rect.height / 2};
}

/// Upright at both ends; within a row it leaves and comes back below.
static ArrowShape shapeOf(GridPoint begin, GridPoint end, double size) {
  const bool isWithinRow = std::abs(end.y - begin.y) < 2 * size;
  const double base = isWithinRow || end.y < begin.y ? size : -size;
  ArrowShape shape;
  shape.start = begin;
  // The line ends within the head.
  shape.end = {end.x, end.y + base * 0.8};
  const double middle = isWithinRow ? std::max(begin.y, end.y) + 3 * size : (begin.y + end.y) / 2;
  shape.firstControl = {begin.x, middle};
  shape.secondControl = {end.x, middle};
  shape.head = {end, GridPoint{end.x - size / 2, end.y + base},
                GridPoint{end.x + size / 2, end.y + base}};
  return shape;
}

std::vector<PipelineArrow> PipelinePicture::arrows(const LoopFacts &facts,
                                                   const std::vector<LoopLink> &links,
                                                   double headSize) const {
  std::vector<PipelineArrow> arrows;
  for (const LoopLink &link : links) {
    const uint32_t end = facts.events[link.to].time;
    if (itemOf(link.from) < 0 || itemOf(link.to) < 0 || end < m_first || end >= m_last)
      continue;
    arrows.push_back({link.kind, link.from, link.to,
                      shapeOf(beginOf(facts, link), endOf(facts, link), headSize)});
  }
  return arrows;
}

} // namespace tilescope::compiler::access
