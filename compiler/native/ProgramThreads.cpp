// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/native/ProgramThreads.h"

#include <chrono>
#include <new>
#include <system_error>

namespace tilescope::native {

static constexpr std::align_val_t kAlignment{64};
static constexpr size_t kKeptScratch = size_t(16) << 20;
/// How often the watch looks.
static constexpr std::chrono::milliseconds kLook{20};
/// So often it looks at nothing before it sleeps: waking it takes as long as waking any other thread.
static constexpr int kIdleLooks = 50;

void ThreadScratch::Free::operator()(std::byte *memory) const {
  ::operator delete(memory, kAlignment);
}

std::byte *ThreadScratch::ofSize(size_t bytes) {
  if (bytes > m_bytes) {
    m_memory.reset();
    m_memory.reset(static_cast<std::byte *>(::operator new(bytes, kAlignment)));
    m_bytes = bytes;
  }
  return m_memory.get();
}

void ThreadScratch::shrink() {
  if (m_bytes <= kKeptScratch)
    return;
  m_memory.reset();
  m_bytes = 0;
}

ProgramThreads::~ProgramThreads() {
  {
    const std::scoped_lock lock(m_mutex);
    m_isOver = true;
  }
  m_called.notify_all();
  for (std::thread &other : m_others)
    other.join();
}

void ProgramThreads::run(SharedWork &work, unsigned numThreads) {
  {
    const std::scoped_lock lock(m_mutex);
    if (m_scratch.size() < numThreads)
      m_scratch.resize(numThreads);
    m_numThreads = numThreads;
    m_hasCalled = false;
    m_work = &work;
    if (!m_watch.joinable())
      m_watch = std::jthread([this](const std::stop_token &stop) { watch(stop); });
    else if (m_watchSleeps)
      m_begun.notify_one();
  }
  work.execute(0);
  std::unique_lock lock(m_mutex);
  // Who comes from now on finds nothing to do.
  m_work = nullptr;
  m_left.wait(lock, [this] { return m_numInside == 0; });
  for (ThreadScratch &scratch : m_scratch)
    scratch.shrink();
}

void ProgramThreads::callOthers() {
  const std::scoped_lock lock(m_mutex);
  call();
}

void ProgramThreads::call() {
  if (m_hasCalled || m_numThreads < 2)
    return;
  m_hasCalled = true;
  ++m_call;
  try {
    while (m_others.size() + 1 < m_numThreads)
      m_others.emplace_back([this, thread = unsigned(m_others.size() + 1)] { serve(thread); });
  } catch (const std::system_error &) {
    // The system has no more threads: those that there are do the work.
  }
  m_called.notify_all();
}

void ProgramThreads::serve(unsigned thread) {
  uint64_t served = 0;
  std::unique_lock lock(m_mutex);
  while (true) {
    m_called.wait(lock, [&] { return m_isOver || m_call != served; });
    if (m_isOver)
      return;
    served = m_call;
    SharedWork *work = m_work;
    if (!work || thread >= m_numThreads)
      continue;
    ++m_numInside;
    lock.unlock();
    work->execute(thread);
    lock.lock();
    if (--m_numInside == 0)
      m_left.notify_one();
  }
}

void ProgramThreads::watch(const std::stop_token &stop) {
  std::unique_lock lock(m_mutex);
  int numIdle = 0;
  while (!stop.stop_requested()) {
    m_watchSleeps = numIdle > kIdleLooks;
    if (m_watchSleeps)
      m_begun.wait(lock, stop, [this] { return m_work != nullptr; });
    m_watchSleeps = false;
    m_begun.wait_for(lock, stop, kLook, [] { return false; });
    numIdle = m_work ? 0 : numIdle + 1;
    if (!m_work)
      continue;
    m_work->look();
    // It takes longer than expected, or a program waits for one that no thread has begun.
    call();
  }
}

} // namespace tilescope::native
