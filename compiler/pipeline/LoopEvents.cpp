// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/LoopEvents.h"

#include "compiler/dialects/ttng/ir/Dialect.h"
#include "compiler/pipeline/LoopFeeders.h"
#include "compiler/pipeline/LoopOperations.h"

#include <algorithm>
#include <deque>
#include <map>

using namespace mlir;

namespace tilescope::compiler {
namespace {

using Events = std::vector<uint32_t>;

/// A barrier in shared memory.
struct Barrier {
  int64_t expected = 1, arrived = 0;
  /// That are still to come.
  int64_t bytes = 0;
  int64_t phase = 0;
  /// What tells of the phase, and what has told of the one before.
  Events now, before;

  void finishPhase() {
    before = std::exchange(now, {});
    arrived = bytes = 0;
    phase ^= 1;
  }
  void update() {
    if (arrived >= expected && bytes <= 0)
      finishPhase();
  }
};

/// What a slot holds: who filled it, and who has read it since.
struct Content {
  Events writers, readers;
};

/// Where a group of warps is.
struct Group {
  std::vector<LoopStep> steps;
  size_t at = 0;
  uint32_t since = 0;
  /// Copies that are in no group yet, and groups under way, the oldest first.
  Events open;
  std::deque<Events> copies;
  std::deque<Events> products, stores;
  /// Products in tensor memory that no barrier has been told of.
  Events untold;

  const LoopStep &next() const { return steps[at]; }
  bool isDone() const { return at == steps.size(); }
};

class LoopRun {
public:
  LoopRun(LoopFacts &facts, const std::vector<Operation *> &allocations)
      : m_facts(facts), m_allocations(allocations) {}

  void add(std::vector<LoopStep> steps) { m_groups.emplace_back().steps = std::move(steps); }
  void run();

private:
  void step(Group &group, uint32_t time);
  bool isBlocked(const Group &group);
  void act(Group &group, const LoopStep &step, uint32_t event);
  void tell(Group &group, const LoopStep &step, uint32_t event);
  void passBarrier(const LoopStep &step, uint32_t event);
  void touch(const LoopStep &step, uint32_t event);
  void feed(const LoopStep &step, uint32_t event);
  /// Whatever is under way.
  void endAll(std::deque<Events> &underWay, uint32_t wait);
  void end(std::deque<Events> &underWay, uint32_t wait);
  void end(uint32_t event, uint32_t wait);
  Barrier &barrier(const UsedSlot &use);
  void link(uint32_t from, uint32_t to, LoopLinkKind kind);

  LoopFacts &m_facts;
  const std::vector<Operation *> &m_allocations;
  std::vector<Group> m_groups;
  std::map<UsedSlot, Barrier> m_barriers;
  std::map<UsedSlot, Content> m_contents;
  /// Of operations in an iteration.
  std::map<std::pair<Operation *, int32_t>, uint32_t> m_latest;
  LoopFeeders m_feeders;
};

} // namespace

/// Of the first barrier that is prepared among the views of a buffer.
static int64_t expectedArrivals(Value buffer) {
  for (Operation *user : buffer.getUsers()) {
    if (auto init = dyn_cast<ttng::InitBarrierOp>(user))
      return init.getCount();
    if (isa<ttg::MemDescIndexOp>(user))
      if (const int64_t found = expectedArrivals(user->getResult(0)))
        return found;
  }
  return 0;
}

Barrier &LoopRun::barrier(const UsedSlot &use) {
  const auto [known, isNew] = m_barriers.try_emplace(use);
  if (isNew) {
    Operation *alloc = m_allocations[static_cast<size_t>(use.buffer)];
    known->second.expected = std::max<int64_t>(1, expectedArrivals(alloc->getResult(0)));
  }
  return known->second;
}

void LoopRun::link(uint32_t from, uint32_t to, LoopLinkKind kind) {
  const LoopLink added{from, to, kind};
  if (from == to)
    return;
  // Those to one event follow each other.
  for (auto known = m_facts.links.rbegin(); known != m_facts.links.rend() && known->to == to;
       ++known)
    if (*known == added)
      return;
  m_facts.links.push_back(added);
}

void LoopRun::end(uint32_t event, uint32_t wait) {
  link(event, wait, LoopLinkKind::Ends);
  if (m_facts.events[event].end < 0)
    m_facts.events[event].end = static_cast<int32_t>(wait);
}

void LoopRun::endAll(std::deque<Events> &underWay, uint32_t wait) {
  for (const Events &events : std::exchange(underWay, {}))
    for (const uint32_t event : events)
      end(event, wait);
}

/// All but the youngest that the wait leaves.
void LoopRun::end(std::deque<Events> &underWay, uint32_t wait) {
  const int32_t pending = std::max(0, m_facts.operationOf(wait).pending);
  for (; underWay.size() > static_cast<size_t>(pending); underWay.pop_front())
    for (const uint32_t event : underWay.front())
      end(event, wait);
}

static int64_t bytesOf(const LoopBuffer &buffer, Operation *alloc) {
  int64_t elements = 1;
  for (const int64_t extent : buffer.shape)
    elements *= extent;
  const auto type = cast<ttg::MemDescType>(alloc->getResult(0).getType());
  return elements * static_cast<int64_t>(type.getElementTypeBitWidth()) / 8;
}

bool LoopRun::isBlocked(const Group &group) {
  const LoopStep &step = group.next();
  if (!isa<ttng::WaitBarrierOp>(step.op) || step.isOff || !step.phase ||
      step.barriers.front().slot < 0)
    return false;
  return barrier(step.barriers.front()).phase == (*step.phase & 1);
}

void LoopRun::passBarrier(const LoopStep &step, uint32_t event) {
  if (step.barriers.empty() || step.barriers.front().slot < 0)
    return;
  Barrier &waitedFor = barrier(step.barriers.front());
  for (const uint32_t told : waitedFor.before)
    if (m_facts.operationOf(told).action == LoopAction::Arrive)
      link(told, event, LoopLinkKind::Signals);
    else
      end(told, event);
}

/// Barriers of what has happened, or will have when it is over.
void LoopRun::tell(Group &group, const LoopStep &step, uint32_t event) {
  if (isa<ttng::WaitBarrierOp>(step.op))
    return;
  for (const UsedSlot &use : step.barriers) {
    if (use.slot < 0)
      continue;
    Barrier &told = barrier(use);
    int64_t arrivals = 1;
    if (auto expect = dyn_cast<ttng::BarrierExpectOp>(step.op)) {
      told.bytes += expect.getSize();
    } else if (m_facts.operationOf(event).action == LoopAction::BulkCopy) {
      arrivals = 0;
      for (const UsedSlot &filled : step.writes)
        told.bytes -= bytesOf(m_facts.buffers[static_cast<size_t>(filled.buffer)],
                              m_allocations[static_cast<size_t>(filled.buffer)]);
      told.now.push_back(event);
    } else {
      if (auto arrive = dyn_cast<ttng::ArriveBarrierOp>(step.op))
        arrivals = arrive.getCount();
      Events over{event};
      if (isa<ttng::TCGen5CommitOp>(step.op)) {
        over = std::exchange(group.untold, {});
      } else if (isa<ttng::AsyncCopyMbarrierArriveOp>(step.op)) {
        arrivals = told.expected;
        over = std::exchange(group.open, {});
        for (const Events &copies : std::exchange(group.copies, {}))
          over.insert(over.end(), copies.begin(), copies.end());
      }
      told.now.insert(told.now.end(), over.begin(), over.end());
    }
    told.arrived += arrivals;
    told.update();
  }
}

/// Reads come before writes: a product adds to what is there.
void LoopRun::touch(const LoopStep &step, uint32_t event) {
  LoopEvent &now = m_facts.events[event];
  for (const UsedSlot &use : step.reads) {
    if (use.slot < 0)
      continue;
    Content &content = m_contents[use];
    for (const uint32_t writer : content.writers) {
      link(writer, event, LoopLinkKind::Feeds);
      LoopEvent &written = m_facts.events[writer];
      if (isCopy(m_facts.operationOf(writer).action) && written.forIteration < 0 &&
          now.iteration >= 0 && now.iteration != kBehindLoop)
        written.forIteration = now.iteration;
    }
    content.readers.push_back(event);
  }
  for (const UsedSlot &use : step.writes) {
    if (use.slot < 0)
      continue;
    Content &content = m_contents[use];
    if (!content.readers.empty())
      link(content.readers.back(), event, LoopLinkKind::Frees);
    content = {{event}, {}};
  }
}

/// By what was computed in registers.
void LoopRun::feed(const LoopStep &step, uint32_t event) {
  const LoopAction action = m_facts.operationOf(event).action;
  m_latest[{step.op, step.iteration}] = event;
  if (action != LoopAction::Product && action != LoopAction::LocalStore)
    return;
  for (const LoopFeeder &feeder : m_feeders.of(step.op))
    if (const auto found = m_latest.find({feeder.op, step.iteration - feeder.iterationsBefore});
        found != m_latest.end())
      link(found->second, event, LoopLinkKind::Feeds);
}

void LoopRun::act(Group &group, const LoopStep &step, uint32_t event) {
  const LoopOperation &operation = m_facts.operationOf(event);
  switch (operation.action) {
  case LoopAction::AsyncCopy:
    group.open.push_back(event);
    break;
  case LoopAction::CloseGroup:
    group.copies.push_back(std::exchange(group.open, {}));
    break;
  case LoopAction::CopyWait:
    end(group.copies, event);
    break;
  case LoopAction::ProductWait:
    end(group.products, event);
    break;
  case LoopAction::BulkStore:
    group.stores.push_back({event});
    break;
  case LoopAction::StoreWait:
    end(group.stores, event);
    break;
  case LoopAction::BarrierWait:
    passBarrier(step, event);
    break;
  case LoopAction::Product:
    if (isa<ttng::WarpGroupDotOp>(step.op) && operation.isAsync)
      group.products.push_back({event});
    else if (isa<ttng::WarpGroupDotOp>(step.op))
      // It is waited for at once, and with it all products that began before.
      endAll(group.products, event);
    else if (operation.isAsync && step.barriers.empty())
      group.untold.push_back(event);
    break;
  default:
    break;
  }
  tell(group, step, event);
}

void LoopRun::step(Group &group, uint32_t time) {
  const LoopStep &step = group.steps[group.at++];
  const auto number = static_cast<uint32_t>(m_facts.events.size());
  LoopEvent &event = m_facts.events.emplace_back();
  event.operation = step.operation;
  event.iteration = step.iteration;
  event.time = time;
  event.begin = group.since;
  event.isOff = step.isOff;
  const auto use = !step.writes.empty() && !isWait(m_facts.operationOf(number).action)
                       ? &step.writes.front()
                   : !step.reads.empty()    ? &step.reads.front()
                   : !step.barriers.empty() ? &step.barriers.front()
                                            : nullptr;
  if (use) {
    event.buffer = use->buffer;
    event.slot = use->slot;
  }
  if (!isCopy(m_facts.operationOf(number).action) && step.iteration != kBehindLoop)
    event.forIteration = step.iteration;
  group.since = time + 1;
  if (step.isOff)
    return;
  touch(step, number);
  feed(step, number);
  act(group, step, number);
}

void LoopRun::run() {
  const auto isLeft = [](const Group &group) { return !group.isDone(); };
  for (uint32_t time = 0; std::ranges::any_of(m_groups, isLeft); ++time) {
    // Who is blocked is decided before anyone goes on: what others do now is seen next.
    std::vector<Group *> free, blocked;
    for (Group &group : m_groups)
      if (!group.isDone())
        (isBlocked(group) ? blocked : free).push_back(&group);
    if (free.empty()) {
      // What they wait for is not known here.
      Group &first = *blocked.front();
      barrier(first.next().barriers.front()).finishPhase();
      free.push_back(&first);
    }
    for (Group *group : free)
      step(*group, time);
  }
}

/// How many iterations later the blocks of copies are needed: what most of them say holds for those
/// that nobody reads.
static void findDistances(LoopFacts &facts) {
  std::vector<std::map<int32_t, int>> votes(facts.operations.size());
  for (const LoopEvent &event : facts.events)
    if (isCopy(facts.operations[event.operation].action) && event.forIteration >= 0 &&
        event.iteration >= 0)
      ++votes[event.operation][event.forIteration - event.iteration];
  for (size_t i = 0; i < votes.size(); ++i)
    if (!votes[i].empty())
      facts.operations[i].distance = std::ranges::max_element(votes[i], {}, [](const auto &vote) {
                                       return vote.second;
                                     })->first;
  for (LoopEvent &event : facts.events)
    if (isCopy(facts.operations[event.operation].action) && event.forIteration < 0 &&
        event.iteration >= 0 && event.iteration != kBehindLoop)
      event.forIteration = event.iteration + facts.operations[event.operation].distance;
}

void followLoop(ArrayRef<LoopStrand> strands, int64_t numIterations, const StageSources &sources,
                const ValueNames &names, LoopFacts &facts) {
  LoopSteps steps(sources, names, facts);
  std::vector<std::vector<LoopStep>> listed;
  for (const LoopStrand &strand : strands)
    listed.push_back(steps.of(strand, numIterations));
  LoopRun run(facts, steps.allocations());
  for (std::vector<LoopStep> &each : listed)
    run.add(std::move(each));
  run.run();
  findDistances(facts);
}

} // namespace tilescope::compiler
