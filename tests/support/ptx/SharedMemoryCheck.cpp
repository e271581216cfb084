// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "tests/support/ptx/SharedMemoryCheck.h"

#include <algorithm>

namespace tilescope::tests {

static void takeLater(std::vector<int32_t> &steps, const std::vector<int32_t> &others) {
  for (size_t i = 0; i < steps.size(); ++i)
    steps[i] = std::max(steps[i], others[i]);
}

void KnownSteps::join(const KnownSteps &other) {
  takeLater(seen, other.seen);
  takeLater(fenced, other.fenced);
}

SharedMemoryCheck::SharedMemoryCheck(size_t sizeBytes, size_t tensorWords, size_t numThreads)
    : m_bytes(sizeBytes + tensorWords), m_sharedBytes(sizeBytes), m_engineSteps(kNumEngines, 0) {
  const std::vector<int32_t> nothing(numThreads + kNumEngines, 0);
  m_known.assign(numThreads, {nothing, nothing});
  for (size_t thread = 0; thread < numThreads; ++thread)
    m_known[thread].seen[thread] = 1;
}

KnownSteps SharedMemoryCheck::nothingKnown() const {
  const std::vector<int32_t> nothing(numThreads() + kNumEngines, 0);
  return {nothing, nothing};
}

void SharedMemoryCheck::meet(std::span<const size_t> threads) {
  KnownSteps all = m_known[threads.front()];
  for (size_t thread : threads.subspan(1))
    all.join(m_known[thread]);
  for (size_t thread : threads) {
    m_known[thread] = all;
    ++m_known[thread].seen[thread];
  }
}

void SharedMemoryCheck::release(int32_t thread, KnownSteps &to) {
  to.join(m_known[thread]);
  ++m_known[thread].seen[thread];
}

void SharedMemoryCheck::finish(const Engine &engine, KnownSteps &to) const {
  int32_t &seen = to.seen[numThreads() + engine.number];
  seen = std::max(seen, engine.step);
}

void SharedMemoryCheck::finish(const Engine &engine, int32_t thread) {
  finish(engine, m_known[thread]);
}

std::string SharedMemoryCheck::race(size_t byte, const Event &with) const {
  const bool isThread = with.party < static_cast<int32_t>(numThreads());
  const std::string place =
      byte < m_sharedBytes ? "byte " + std::to_string(byte) + " of shared memory"
                           : "word " + std::to_string(byte - m_sharedBytes) + " of tensor memory";
  return "race on " + place + " with " +
         (isThread ? "thread " + std::to_string(with.party) : "an asynchronous operation");
}

void SharedMemoryCheck::note(Byte &byte, const Event &event, bool isWrite) {
  if (isWrite) {
    byte.write = event;
    return;
  }
  if (byte.read.party != event.party)
    byte.otherRead = byte.read;
  byte.read = event;
}

std::string SharedMemoryCheck::record(size_t offset, size_t size, Access access) {
  const KnownSteps &known = m_known[access.thread];
  const auto conflicts = [&](const Event &earlier) {
    return earlier.party >= 0 && earlier.party != access.thread &&
           !(earlier.isAtomic && access.isAtomic) && earlier.step > known.seen[earlier.party];
  };
  const Event event{access.thread, known.seen[access.thread], access.isAtomic, access.isCopy};
  for (size_t i = offset; i < offset + size; ++i) {
    Byte &byte = m_bytes[i];
    for (const Event *earlier : {&byte.write, access.isWrite ? &byte.read : nullptr,
                                 access.isWrite ? &byte.otherRead : nullptr})
      if (earlier && conflicts(*earlier))
        return race(i, *earlier);
    note(byte, event, access.isWrite);
  }
  return {};
}

std::string SharedMemoryCheck::recordAsync(size_t offset, size_t size, int32_t issuer, bool isWrite,
                                           Engine &engine) {
  const KnownSteps &known = m_known[issuer];
  const auto party = static_cast<int32_t>(numThreads()) + engine.number;
  engine.step = ++m_engineSteps[engine.number];
  const Event event{party, engine.step, false};
  for (size_t i = offset; i < offset + size; ++i) {
    Byte &byte = m_bytes[i];
    const Event &write = byte.write;
    // Writes of threads reach the engine only through a proxy fence, even in program order.
    const bool byThread = write.party >= 0 && write.party < static_cast<int32_t>(numThreads());
    const auto isBefore = [&](const Event &earlier) {
      return earlier.party < 0 || earlier.step <= known.seen[earlier.party] ||
             (engine.isOrdered && earlier.party == party);
    };
    if (!isBefore(write))
      return race(i, write);
    if (byThread && !write.isCopy && write.step > known.fenced[write.party])
      return "byte " + std::to_string(i) + " of shared memory was written by thread " +
             std::to_string(write.party) + " without a proxy fence";
    if (isWrite)
      for (const Event *read : {&byte.read, &byte.otherRead})
        if (!isBefore(*read))
          return race(i, *read);
    note(byte, event, isWrite);
  }
  return {};
}

} // namespace tilescope::tests
