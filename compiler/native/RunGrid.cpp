// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/native/RunGrid.h"

#include "compiler/conversion/tt_to_cpu/OutsideRecords.h"
#include "compiler/conversion/tt_to_cpu/StoreMarks.h"
#include "compiler/conversion/tt_to_cpu/TtToCpu.h"
#include "compiler/native/ProgramGuard.h"
#include "compiler/native/ProgramThreads.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <map>
#include <mutex>
#include <thread>

namespace tilescope::native {

using Clock = std::chrono::steady_clock;

/// Whoever learns that programs have ended sees what they have stored past the caches.
static void orderStreamedStores() {
#if defined(__x86_64__)
  __builtin_ia32_sfence();
#else
  std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
}

/// What takes no longer is done sooner by one thread than another one wakes up.
static constexpr std::chrono::microseconds kAlone{50};

namespace {

/// A thread that executes programs, as the one that watches it sees it.
struct Executor {
  static constexpr uint64_t kNone = UINT64_MAX;

  pthread_t thread{};
  /// The program that it executes.
  std::atomic<uint64_t> program = kNone;
  /// It was interrupted because the program took too long.
  std::atomic<bool> isLate = false;
  /// A signal that is on its way to it is meant for this grid.
  std::atomic<bool> shallEnd = false;
  /// Only the watch: what it saw last, and since when.
  uint64_t seen = kNone;
  Clock::time_point since{};
};

/// What the threads share: which programs are still to be executed.
class Work : public SharedWork {
public:
  Work(const NativeKernel &kernel, std::span<const uint64_t> arguments, const GridOptions &options,
       ProgramThreads &threads, unsigned numThreads)
      : m_kernel(kernel), m_arguments(arguments), m_options(options), m_threads(threads),
        m_total(uint64_t(options.grid[0]) * uint64_t(options.grid[1]) * uint64_t(options.grid[2])),
        m_chunk(std::clamp<uint64_t>(m_total / (numThreads * kChunksPerThread), 1, kLargestChunk)),
        m_executors(numThreads), m_calls(numThreads, ProgramCalls(kernel, options.maxPrints)) {}

  /// The first thread calls the others.
  void execute(unsigned thread) override;
  /// Ends programs that shall not go on, and tells of the progress of all.
  void look() override;
  GridOutcome outcome() const;

private:
  /// Threads that are slow for a while leave their part to others.
  static constexpr uint64_t kChunksPerThread = 16;
  static constexpr uint64_t kLargestChunk = 64;
  static constexpr unsigned kLooksPerReport = 10;

  bool isOver() const { return m_hasFault || m_hasRace || m_options.stop.stop_requested(); }
  /// Whether all of them ran to their ends.
  bool executeChunk(unsigned thread, uint64_t first, uint64_t end, std::byte *scratch);
  using Launch = std::array<int32_t, cpu::kLaunchWords>;
  Launch launchOf(uint64_t program) const;
  std::vector<ProgramPrint> prints() const;
  /// Whether what ended the program was an assertion; it is kept then.
  bool keepAssertion(const Launch &launch, uint64_t program);
  std::array<int32_t, 3> idOf(uint64_t program) const;
  void keepFault(const ProgramFault &fault, uint64_t program);
  /// Says in the scratch which program follows.
  void beginProgram(std::byte *scratch, uint64_t program) const;
  /// Takes the doubts of the program.
  void takeDoubts(std::byte *scratch, uint64_t program);
  /// Takes what the program has left in its scratch.
  void takeOutside(std::byte *scratch, uint64_t program);
  void look(Executor &executor);
  /// In the first thread.
  bool needsOthers(Clock::duration elapsed) const;

  const NativeKernel &m_kernel;
  std::span<const uint64_t> m_arguments;
  const GridOptions &m_options;
  ProgramThreads &m_threads;
  uint64_t m_total, m_chunk;
  std::atomic<uint64_t> m_next = 0, m_done = 0;
  std::vector<Executor> m_executors;
  /// Per thread.
  std::vector<ProgramCalls> m_calls;
  /// Only the watch.
  unsigned m_numLooks = 0;
  std::atomic<bool> m_hasFault = false, m_hasRace = false;
  /// Of what is below.
  std::mutex m_mutex;
  std::optional<GridFault> m_fault;
  struct Outside {
    uint64_t program = 0, numPrograms = 0;
    compiler::interpreter::OutsideElements elements;
  };
  /// By number of the access, and whether all that is accessed lies in front of an argument.
  std::map<std::pair<size_t, bool>, Outside> m_outside;
  /// The first program, by number of the assertion.
  struct Failure {
    uint64_t program = 0, numPrograms = 0;
    int64_t element = 0;
  };
  std::map<size_t, Failure> m_failures;
  std::vector<uint64_t> m_doubtful;
};

} // namespace

/// By the first program, then by number.
template <typename Key, typename T>
static std::vector<std::pair<Key, T>> inOrderOfPrograms(const std::map<Key, T> &found) {
  std::vector<std::pair<Key, T>> sorted(found.begin(), found.end());
  std::ranges::sort(sorted, {},
                    [](const auto &each) { return std::pair(each.second.program, each.first); });
  return sorted;
}

GridOutcome Work::outcome() const {
  GridOutcome outcome;
  outcome.completed = m_done == m_total && m_failures.empty();
  outcome.fault = m_fault;
  for (const auto &[number, failure] : inOrderOfPrograms(m_failures))
    outcome.assertions.push_back(
        {number, idOf(failure.program), failure.element, failure.numPrograms});
  for (const auto &[access, outside] : inOrderOfPrograms(m_outside))
    outcome.outside.push_back(
        {access.first, idOf(outside.program), outside.elements, outside.numPrograms});
  outcome.prints = prints();
  outcome.hasRace = m_hasRace;
  outcome.doubtful = m_doubtful;
  std::ranges::sort(outcome.doubtful);
  return outcome;
}

std::vector<ProgramPrint> Work::prints() const {
  std::vector<ProgramPrint> all;
  for (const ProgramCalls &calls : m_calls)
    all.insert(all.end(), calls.prints().begin(), calls.prints().end());
  // A program runs in one thread.
  std::ranges::stable_sort(all, {}, [](const ProgramPrint &print) {
    const auto [x, y, z] = print.programId;
    return std::array{z, y, x};
  });
  all.resize(std::min(all.size(), m_options.maxPrints));
  return all;
}

std::array<int32_t, 3> Work::idOf(uint64_t program) const {
  const auto x = static_cast<uint64_t>(m_options.grid[0]);
  const auto y = static_cast<uint64_t>(m_options.grid[1]);
  return {static_cast<int32_t>(program % x), static_cast<int32_t>(program / x % y),
          static_cast<int32_t>(program / x / y)};
}

Work::Launch Work::launchOf(uint64_t program) const {
  const auto [x, y, z] = idOf(program);
  const auto [numX, numY, numZ] = m_options.grid;
  return {x, y, z, numX, numY, numZ};
}

bool Work::keepAssertion(const Launch &launch, uint64_t program) {
  if (launch[cpu::kFailedAssertionWord] == 0)
    return false;
  const std::scoped_lock lock(m_mutex);
  Failure &failure = m_failures[static_cast<size_t>(launch[cpu::kFailedAssertionWord]) - 1];
  if (failure.numPrograms++ == 0 || program < failure.program) {
    failure.program = program;
    failure.element = launch[cpu::kFailedElementWord];
  }
  return true;
}

void Work::keepFault(const ProgramFault &fault, uint64_t program) {
  const std::scoped_lock lock(m_mutex);
  if (!m_fault)
    m_fault = {idOf(program), fault.signal, m_kernel.placesAt(fault.code)};
  m_hasFault = true;
}

/// Whether they lie in front of the argument whose area they are in.
static bool isInFront(const compiler::interpreter::OutsideElements &elements) {
  constexpr int64_t kHalf = int64_t{1} << (compiler::interpreter::kAreaBits - 1);
  return (elements.highest & (2 * kHalf - 1)) < kHalf;
}

/// Marks number programs in the bits that executions leave (StoreMarks.h).
void Work::beginProgram(std::byte *scratch, uint64_t program) const {
  auto &head = *reinterpret_cast<cpu::CheckHead *>(scratch);
  head.executionBits = cpu::executionBitsOf(m_total);
  head.mark = static_cast<uint32_t>((program + 1) * (uint64_t(head.executionBits) + 1));
}

void Work::takeDoubts(std::byte *scratch, uint64_t program) {
  auto &head = *reinterpret_cast<cpu::CheckHead *>(scratch);
  if (!head.hasRace && !head.hasLeftOut && !head.hasZeroDivisor)
    return;
  if (head.hasRace)
    m_hasRace = true;
  if (head.hasLeftOut || head.hasZeroDivisor) {
    const std::scoped_lock lock(m_mutex);
    m_doubtful.push_back(program);
  }
  head.hasRace = head.hasLeftOut = head.hasZeroDivisor = 0;
}

void Work::takeOutside(std::byte *scratch, uint64_t program) {
  const std::scoped_lock lock(m_mutex);
  const size_t numAccesses = m_kernel.checkedAccesses().size();
  for (size_t access = 0; access < numAccesses; ++access) {
    const compiler::interpreter::OutsideElements &elements = cpu::outsideOf(scratch, access);
    if (elements.count == 0)
      continue;
    Outside &outside = m_outside[{access, isInFront(elements)}];
    if (outside.numPrograms++ == 0 || program < outside.program) {
      outside.program = program;
      outside.elements = elements;
    }
  }
  std::memset(scratch, 0, cpu::outsideBytes(numAccesses));
}

bool Work::executeChunk(unsigned thread, uint64_t first, uint64_t end, std::byte *scratch) {
  Executor &executor = m_executors[thread];
  for (uint64_t program = first; program < end; ++program) {
    // Not in one order with all else: that would wait for the stores of the program before.
    executor.program.store(program, std::memory_order_release);
    Launch launch = launchOf(program);
    setCalls(launch.data(), &m_calls[thread]);
    if (m_kernel.notesDoubts())
      beginProgram(scratch, program);
    const std::optional<ProgramFault> fault = callGuarded(
        m_kernel.program(), m_arguments.data(), launch.data(), scratch, executor.shallEnd);
    executor.program.store(Executor::kNone, std::memory_order_release);
    if (m_kernel.notesDoubts())
      takeDoubts(scratch, program);
    if (m_kernel.checksBounds() && cpu::hasOutside(scratch))
      takeOutside(scratch, program);
    if (!fault || keepAssertion(launch, program))
      continue;
    if (fault->signal != 0 || executor.isLate)
      keepFault(*fault, program);
    return false;
  }
  return true;
}

bool Work::needsOthers(Clock::duration elapsed) const {
  const uint64_t next = m_next;
  if (next >= m_total)
    return false;
  const std::optional<std::chrono::nanoseconds> each = m_kernel.programDuration();
  return !each || elapsed > kAlone || *each * static_cast<int64_t>(m_total - next) > kAlone;
}

void Work::execute(unsigned thread) {
  Executor &executor = m_executors[thread];
  executor.thread = pthread_self();
  std::byte *scratch = m_threads.scratchOf(thread).ofSize(
      static_cast<size_t>(std::max<int64_t>(m_kernel.scratchBytes(), 64)));
  if (m_kernel.checksBounds())
    std::memset(scratch, 0, cpu::outsideBytes(m_kernel.checkedAccesses().size()));
  const bool isFirst = thread == 0;
  const Clock::time_point begin = Clock::now();
  bool hasCalled = false;
  uint64_t numPrograms = 0;
  while (!isOver()) {
    const uint64_t first = m_next.fetch_add(m_chunk);
    if (first >= m_total)
      break;
    if (isFirst && !hasCalled && needsOthers(Clock::now() - begin)) {
      m_threads.callOthers();
      hasCalled = true;
    }
    const uint64_t end = std::min(first + m_chunk, m_total);
    const bool isWhole = executeChunk(thread, first, end, scratch);
    orderStreamedStores();
    if (!isWhole)
      break;
    m_done += end - first;
    numPrograms += end - first;
  }
  if (isFirst && numPrograms > 0)
    m_kernel.keepProgramDuration((Clock::now() - begin) / numPrograms);
}

void Work::look() {
  for (Executor &executor : m_executors)
    look(executor);
  if (++m_numLooks % kLooksPerReport == 0 && m_options.progress)
    m_options.progress(m_done, m_total);
}

void Work::look(Executor &executor) {
  const uint64_t program = executor.program;
  if (program == Executor::kNone || program != executor.seen) {
    executor.seen = program;
    executor.since = Clock::now();
  }
  if (program == Executor::kNone)
    return;
  const auto limit = m_options.maxProgramDuration;
  if (limit.count() > 0 && Clock::now() - executor.since > limit)
    executor.isLate = true;
  if (!executor.isLate && !isOver())
    return;
  executor.shallEnd = true;
  interruptProgram(executor.thread);
}

GridOutcome runGrid(const NativeKernel &kernel, std::span<const uint64_t> arguments,
                    const GridOptions &options) {
  const ProgramGuard guard;
  const unsigned numThreads =
      options.numThreads ? options.numThreads : std::max(1U, std::thread::hardware_concurrency());
  std::optional<ProgramThreads> ownThreads;
  ProgramThreads &threads = options.threads ? *options.threads : ownThreads.emplace();
  Work work(kernel, arguments, options, threads, numThreads);
  threads.run(work, numThreads);
  return work.outcome();
}

} // namespace tilescope::native
