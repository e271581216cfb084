// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/interpreter/ProgramOrder.h"

#include "compiler/interpreter/Frame.h"

#include <algorithm>
#include <atomic>
#include <functional>

namespace tilescope::compiler::interpreter {

/// Whether every epoch of `left` is at least that of `right`; null chunks are of zeros.
template <typename C> static bool covers(const C &left, const C &right) {
  return left == right || !right ||
         (left && std::ranges::equal(*left, *right, [](uint16_t x, uint16_t y) { return x >= y; }));
}

ProgramClock::Shared ProgramClock::join(const Shared &a, const Shared &b) {
  if (!a || !b || a == b)
    return a ? a : b;
  // Most often one of them knows all that the other does: programs that wait meet the same clock.
  bool isA = true, isB = true;
  for (size_t i = 0; i < a->m_chunks.size() && (isA || isB); ++i) {
    isA = isA && covers(a->m_chunks[i], b->m_chunks[i]);
    isB = isB && covers(b->m_chunks[i], a->m_chunks[i]);
  }
  if (isA || isB)
    return isA ? a : b;
  auto joined = std::make_shared<ProgramClock>(*a);
  for (size_t i = 0; i < joined->m_chunks.size(); ++i) {
    const auto &left = a->m_chunks[i], &right = b->m_chunks[i];
    if (covers(left, right))
      continue;
    if (covers(right, left)) {
      joined->m_chunks[i] = right;
      continue;
    }
    auto chunk = std::make_shared<Chunk>();
    std::ranges::transform(*left, *right, chunk->begin(),
                           [](uint16_t x, uint16_t y) { return std::max(x, y); });
    joined->m_chunks[i] = std::move(chunk);
  }
  return joined;
}

ProgramClock::Shared ProgramClock::with(const Shared &clock, size_t numPrograms, uint32_t program,
                                        uint32_t epoch) {
  if (epoch == 0 || (clock && clock->epochOf(program) >= epoch))
    return clock;
  auto result =
      clock ? std::make_shared<ProgramClock>(*clock) : std::make_shared<ProgramClock>(numPrograms);
  std::shared_ptr<const Chunk> &old = result->m_chunks[program / kChunk];
  auto chunk = old ? std::make_shared<Chunk>(*old) : std::make_shared<Chunk>();
  (*chunk)[program % kChunk] = static_cast<uint16_t>(epoch);
  old = std::move(chunk);
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
