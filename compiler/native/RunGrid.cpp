// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/native/RunGrid.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <new>
#include <thread>
#include <vector>

namespace tilescope::native {

/// Of the kernel's scratch.
static constexpr std::align_val_t kAlignment{64};

namespace {

/// What the threads share: which programs are still to be executed.
class Work {
public:
  Work(const NativeKernel &kernel, std::span<const uint64_t> arguments, const GridOptions &options,
       unsigned numThreads)
      : m_kernel(kernel), m_arguments(arguments), m_options(options),
        m_total(uint64_t(options.grid[0]) * uint64_t(options.grid[1]) * uint64_t(options.grid[2])),
        m_chunk(std::clamp<uint64_t>(m_total / (numThreads * kChunksPerThread), 1, kLargestChunk)) {
  }

  /// One thread's part. `reports`: it tells of the progress of all.
  void execute(bool reports) {
    const auto free = [](std::byte *memory) { ::operator delete(memory, kAlignment); };
    const size_t bytes = static_cast<size_t>(std::max<int64_t>(m_kernel.scratchBytes(), 64));
    const std::unique_ptr<std::byte, decltype(free)> scratch(
        static_cast<std::byte *>(::operator new(bytes, kAlignment)), free);
    while (!m_options.stop.stop_requested()) {
      const uint64_t first = m_next.fetch_add(m_chunk);
      if (first >= m_total)
        return;
      const uint64_t end = std::min(first + m_chunk, m_total);
      for (uint64_t program = first; program < end; ++program)
        call(program, scratch.get());
      m_done += end - first;
      if (reports && m_options.progress)
        m_options.progress(m_done, m_total);
    }
  }

  bool isDone() const { return m_done == m_total; }

private:
  /// Threads that are slow for a while leave their part to others.
  static constexpr uint64_t kChunksPerThread = 16;
  static constexpr uint64_t kLargestChunk = 64;

  /// Compiled code has no type in front of it, which a sanitizer of calls would read.
  __attribute__((no_sanitize("function"))) void call(uint64_t program, std::byte *scratch) const {
    const auto [x, y, z] = m_options.grid;
    const uint64_t row = program / static_cast<uint64_t>(x);
    const int32_t launch[6] = {static_cast<int32_t>(program % static_cast<uint64_t>(x)),
                               static_cast<int32_t>(row % static_cast<uint64_t>(y)),
                               static_cast<int32_t>(row / static_cast<uint64_t>(y)),
                               x,
                               y,
                               z};
    m_kernel.program()(m_arguments.data(), launch, scratch);
  }

  const NativeKernel &m_kernel;
  std::span<const uint64_t> m_arguments;
  const GridOptions &m_options;
  uint64_t m_total, m_chunk;
  std::atomic<uint64_t> m_next = 0, m_done = 0;
};

} // namespace

bool runGrid(const NativeKernel &kernel, std::span<const uint64_t> arguments,
             const GridOptions &options) {
  const unsigned numThreads =
      options.numThreads ? options.numThreads : std::max(1U, std::thread::hardware_concurrency());
  Work work(kernel, arguments, options, numThreads);
  {
    std::vector<std::jthread> threads;
    for (unsigned i = 1; i < numThreads; ++i)
      threads.emplace_back([&work] { work.execute(false); });
    work.execute(true);
  }
  return work.isDone();
}

} // namespace tilescope::native
