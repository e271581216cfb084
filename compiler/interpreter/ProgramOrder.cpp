// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/interpreter/ProgramOrder.h"

#include "compiler/interpreter/Frame.h"

#include <algorithm>
#include <atomic>
#include <functional>

namespace tilescope::compiler::interpreter {

namespace {
/// Which of two parts of clocks knows all that the other does.
struct Covering {
  bool isLeft = true;
  bool isRight = true;

  void operator&=(const Covering &other) {
    isLeft &= other.isLeft;
    isRight &= other.isRight;
  }
  bool isNeither() const { return !isLeft && !isRight; }
};
} // namespace

static Covering coveringOf(uint16_t left, uint16_t right) { return {left >= right, right >= left}; }

/// Null parts are of zeros, below no epoch.
template <typename T>
static Covering coveringOf(const std::shared_ptr<const T> &left,
                           const std::shared_ptr<const T> &right) {
  if (left == right)
    return {};
  if (!left || !right)
    return {left != nullptr, right != nullptr};
  Covering covering;
  for (size_t i = 0; i < left->size() && !covering.isNeither(); ++i)
    covering &= coveringOf((*left)[i], (*right)[i]);
  return covering;
}

static uint16_t joinOf(uint16_t left, uint16_t right) { return std::max(left, right); }

template <typename T>
static std::shared_ptr<const T> joinOf(const std::shared_ptr<const T> &left,
                                       const std::shared_ptr<const T> &right) {
  // Most often one of them knows all that the other does: programs that wait meet the same clock.
  if (const Covering covering = coveringOf(left, right); !covering.isNeither())
    return covering.isLeft ? left : right;
  auto joined = std::make_shared<T>();
  for (size_t i = 0; i < left->size(); ++i)
    (*joined)[i] = joinOf((*left)[i], (*right)[i]);
  return joined;
}

ProgramClock::Shared ProgramClock::join(const Shared &a, const Shared &b) {
  if (!a || !b || a == b)
    return a ? a : b;
  std::vector<std::shared_ptr<const Branch>> branches;
  bool isA = true, isB = true;
  for (size_t i = 0; i < a->m_branches.size(); ++i) {
    branches.push_back(joinOf(a->m_branches[i], b->m_branches[i]));
    isA = isA && branches[i] == a->m_branches[i];
    isB = isB && branches[i] == b->m_branches[i];
  }
  if (isA || isB)
    return isA ? a : b;
  auto joined = std::make_shared<ProgramClock>(0);
  joined->m_branches = std::move(branches);
  return joined;
}

/// A copy that may be changed; of nothing, zeros.
template <typename T> static std::shared_ptr<T> copyOf(const std::shared_ptr<const T> &part) {
  return part ? std::make_shared<T>(*part) : std::make_shared<T>();
}

ProgramClock::Shared ProgramClock::with(const Shared &clock, size_t numPrograms, uint32_t program,
                                        uint32_t epoch) {
  if (epoch == 0 || (clock && clock->epochOf(program) >= epoch))
    return clock;
  auto result =
      clock ? std::make_shared<ProgramClock>(*clock) : std::make_shared<ProgramClock>(numPrograms);
  std::shared_ptr<const Branch> &oldBranch = result->m_branches[program / (kBranch * kChunk)];
  auto branch = copyOf(oldBranch);
  std::shared_ptr<const Chunk> &oldChunk = (*branch)[program / kChunk % kBranch];
  auto chunk = copyOf(oldChunk);
  (*chunk)[program % kChunk] = static_cast<uint16_t>(epoch);
  oldChunk = std::move(chunk);
  oldBranch = std::move(branch);
  return result;
}

ReleaseClocks::Access::Access(ReleaseClocks &clocks, const std::byte *place)
    : m_clocks(clocks), m_place(place),
      m_stripe(clocks.m_stripes[std::hash<const std::byte *>()(place) / 4 % kNumStripes]),
      m_lock(m_stripe.mutex) {}

void ReleaseClocks::Access::acquire(Frame &frame) {
  ProgramKnowledge &order = frame.order;
  const auto found = m_stripe.clocks.find(m_place);
  if (found == m_stripe.clocks.end() || found->second == order.acquired)
    return;
  order.acquired = found->second;
  order.known = ProgramClock::join(order.known, order.acquired);
}

void ReleaseClocks::Access::release(Frame &frame) {
  ProgramKnowledge &order = frame.order;
  ProgramClock::Shared &clock = m_stripe.clocks[m_place];
  if (clock && clock == order.released && clock == order.acquired && !order.hasAccessed)
    return;
  const uint32_t self = frame.programNumber() - 1;
  // Where it has done nothing in this epoch, the epoch goes on: what comes next lies behind.
  const bool isOver = order.hasAccessed || order.epoch == kLastEpoch;
  clock = ProgramClock::join(clock, ProgramClock::with(order.known, m_clocks.m_numPrograms, self,
                                                       isOver ? order.epoch : order.epoch - 1));
  order.released = clock;
  if (order.hasAccessed)
    order.epoch = std::min(order.epoch + 1, kLastEpoch);
  order.hasAccessed = false;
}

void ReleaseClocks::noteLook(uint32_t program, Look look) {
  const std::atomic_ref looked(m_looks[program - 1]);
  if (looked.load(std::memory_order_relaxed) < look)
    looked.store(look, std::memory_order_relaxed);
}

Look ReleaseClocks::lookOf(uint32_t program) {
  return std::atomic_ref(m_looks[program - 1]).load(std::memory_order_relaxed);
}

void ReleaseClocks::Access::forget() { m_stripe.clocks.erase(m_place); }

} // namespace tilescope::compiler::interpreter
