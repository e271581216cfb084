// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Barriers of the CTA and of parts of it, and barriers that are objects in shared memory.
#include "tests/support/ptx/PtxCta.h"

#include <algorithm>

namespace tilescope::tests {

bool CtaRun::meetCta() {
  // Per CTA and barrier, who waits at it.
  std::map<std::pair<size_t, uint64_t>, std::vector<size_t>> waiting;
  std::vector<size_t> alive(static_cast<size_t>(m_kernel.blocks));
  for (size_t i = 0; i < m_threads.size(); ++i) {
    PtxThread &thread = m_threads[i];
    alive[blockOf(i)] += !thread.exited;
    if (!thread.waiting || m_code[thread.pc].action != PtxAction::CtaMeeting)
      continue;
    const std::vector<PtxOperand> &operands = m_code[thread.pc].instruction->operands;
    waiting[{blockOf(i), operands.empty() ? 0 : read(i, thread, operands[0])}].push_back(i);
  }
  bool any = false;
  for (const auto &[barrier, threads] : waiting) {
    PtxThread &first = m_threads[threads.front()];
    const std::vector<PtxOperand> &operands = m_code[first.pc].instruction->operands;
    const size_t expected =
        operands.size() > 1 ? read(threads.front(), first, operands[1]) : alive[barrier.first];
    if (threads.size() < expected)
      continue;
    if (threads.size() > expected) {
      fail(threads.front(), "more threads meet here than the barrier is for");
      return false;
    }
    any = true;
    ++m_statistics.barriers;
    m_check->meet(threads);
    for (size_t i : threads) {
      m_threads[i].waiting = false;
      ++m_threads[i].pc;
    }
  }
  return any;
}

void CtaRun::arriveAtCluster(size_t index, PtxThread &thread, const PtxInstruction &instruction) {
  if (thread.clusterArrivals > thread.clusterPasses)
    return fail(index, "the thread has not waited since it arrived last");
  if (m_clusterPhases.size() <= thread.clusterArrivals)
    m_clusterPhases.push_back(m_check->nothingKnown());
  if (!instruction.has("relaxed"))
    m_check->release(static_cast<int32_t>(index), m_clusterPhases[thread.clusterArrivals]);
  ++thread.clusterArrivals;
}

bool CtaRun::passCluster() {
  size_t phase = SIZE_MAX;
  for (const PtxThread &thread : m_threads)
    if (!thread.exited)
      phase = std::min(phase, thread.clusterArrivals);
  bool any = false;
  for (size_t i = 0; i < m_threads.size(); ++i) {
    PtxThread &thread = m_threads[i];
    if (!thread.waiting || m_code[thread.pc].action != PtxAction::ClusterWait ||
        thread.clusterPasses >= phase)
      continue;
    m_check->acquire(static_cast<int32_t>(i), m_clusterPhases[thread.clusterPasses]);
    ++thread.clusterPasses;
    thread.waiting = false;
    ++thread.pc;
    any = true;
  }
  m_statistics.barriers += any;
  return any;
}

PtxBarrier *CtaRun::barrierAt(size_t index, PtxThread &thread, const PtxInstruction &instruction,
                              uint64_t address, bool asObject) {
  if (!resolve(index, thread, instruction, address, 8, /*isWrite=*/true, /*isAtomic=*/asObject))
    return nullptr;
  auto found = m_barriers.find(*sharedPlace(index, address, 8, /*isCluster=*/true));
  if (found != m_barriers.end())
    return &found->second;
  if (asObject)
    fail(index, "no barrier was initialized here");
  return nullptr;
}

void CtaRun::barrier(size_t index, PtxThread &thread, const PtxInstruction &instruction) {
  const auto number = [&](size_t position) {
    return static_cast<int64_t>(read(index, thread, instruction.operands.at(position)));
  };
  // What `arrive` returns, or `_`, comes before the address.
  const bool returns = instruction.operands.front().kind != Kind::Address;
  const uint64_t address = addressOf(index, thread, instruction.operands.at(returns ? 1 : 0));
  const size_t next = returns ? 2 : 1;
  const bool makes = instruction.has("init"), ends = instruction.has("inval");
  PtxBarrier *barrier = barrierAt(index, thread, instruction, address, !makes && !ends);
  if (!m_error.empty())
    return;
  if (makes) {
    const int64_t count = number(next);
    m_barriers[*sharedPlace(index, address, 8, false)] = {
        count, count, 0, 0, m_check->nothingKnown(), m_check->nothingKnown()};
  } else if (ends) {
    m_barriers.erase(*sharedPlace(index, address, 8, false));
  } else if (instruction.has("expect_tx") || instruction.has("arrive")) {
    m_check->release(static_cast<int32_t>(index), barrier->arrived);
    if (instruction.has("expect_tx"))
      barrier->bytesMissing += number(next);
    if (instruction.has("arrive") &&
        !barrier->arrive(
            instruction.has("expect_tx") || instruction.operands.size() <= next ? 1 : number(next)))
      return fail(index, "more arrivals than the barrier expects");
    barrier->turn();
  } else {
    fail(index, "unknown operation of a barrier");
  }
}

bool PtxBarrier::arrive(int64_t arrivals) {
  missing -= arrivals;
  return missing >= 0;
}

void PtxBarrier::turn() {
  if (missing != 0 || bytesMissing != 0)
    return;
  ++phase;
  missing = expected;
  over = arrived;
}

bool CtaRun::passBarriers() {
  bool any = false;
  for (size_t i = 0; i < m_threads.size() && m_error.empty(); ++i) {
    PtxThread &thread = m_threads[i];
    if (!thread.waiting || m_code[thread.pc].action != PtxAction::BarrierWait)
      continue;
    const PtxInstruction &instruction = *m_code[thread.pc].instruction;
    const uint64_t address = addressOf(i, thread, instruction.operands.at(1));
    PtxBarrier *barrier = barrierAt(i, thread, instruction, address, true);
    if (!barrier || (barrier->phase & 1) == (read(i, thread, instruction.operands.at(2)) & 1))
      continue;
    m_check->acquire(static_cast<int32_t>(i), barrier->over);
    write(thread, instruction.operands[0], 1);
    thread.waiting = false;
    ++thread.pc;
    any = true;
  }
  return any;
}

} // namespace tilescope::tests
