// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/interpreter/GridRun.h"

#include "compiler/interpreter/ProgramChunks.h"
#include "compiler/interpreter/ProgressReport.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <ctime>
#include <map>
#include <mutex>
#include <new>
#include <optional>
#include <pthread.h>
#include <random>
#include <semaphore>
#include <set>
#include <thread>

namespace tilescope::compiler::interpreter {

using Clock = std::chrono::steady_clock;

namespace {

/// Processor time that the first thread spends before others join it: short runs are over by then,
/// and find the same in the same order each time.
constexpr std::chrono::milliseconds kAlone(2);

std::chrono::nanoseconds timeOf(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

/// Waits until a thread tells that it has ended, or has had the processor for `kAlone`.
void waitAlone(std::jthread &thread, std::binary_semaphore &hasEnded) {
  clockid_t clock{};
  const bool hasClock = pthread_getcpuclockid(thread.native_handle(), &clock) == 0;
  while (hasClock && timeOf(clock) < kAlone)
    if (hasEnded.try_acquire_for(kAlone / 4))
      return;
}

/// Looks that a program has before it is set aside: at first, again, and after all looked in vain.
constexpr uint32_t kPatience = 64;
constexpr uint32_t kShortLook = 4;
constexpr uint32_t kMostPatience = 4096;
/// Memory of programs that have begun and not ended.
constexpr size_t kResidentBytes = size_t{2} << 30;
/// A program that looks for longer does not look in vain, but goes on: for certain.
constexpr std::chrono::milliseconds kLongestLook(2);
/// Most likely, where looks in vain do not take longer.
constexpr std::chrono::microseconds kUsualLook(20);

/// The run of a grid: what its threads share.
class GridRun {
public:
  GridRun(const PreparedKernel &kernel, const ProgramSequence &programs, unsigned numThreads,
          const InterpreterOptions &options, const std::function<AccessObserver &()> &observer);

  void work(unsigned thread);
  bool hasProgramsLeft() const { return m_chunks.hasLeft(); }
  const std::atomic<uint64_t> &numDone() const { return m_done; }
  bool isOutOfMemory() const { return m_outOfMemory; }
  RunGrid take() { return {std::move(m_frames), m_waiting}; }

private:
  /// What a thread does now, as others see it.
  struct ThreadState {
    bool isRunning = false;
    /// It goes on with a program that was set aside.
    bool isLooking = false;
    Clock::time_point since;
  };

  Frame &newFrame();
  /// One of those that wait, in turn; null: none does.
  Frame *nextToLook(unsigned thread);
  ParkedPrograms::iterator nextInTurn();
  /// Goes on with one of those that wait.
  void look(unsigned thread);
  /// A program that may begin, and its frame; null: one that waits shall go on first.
  struct Fresh {
    Frame *frame = nullptr;
    uint64_t index = 0;
  };
  Fresh nextFresh(unsigned thread);
  /// Whether another thread executes a program that does not only look.
  bool isBusyElsewhere(unsigned thread, Clock::duration longestLook) const;
  bool hasUnbegun() const { return m_kernel.execution.numBegun < m_programs.count; }
  /// Programs that have not begun, and have room.
  bool mayOthersBegin() const { return hasUnbegun() && m_parked.size() < m_mostResident; }
  /// Programs that have begun and not ended.
  size_t numUnderWay() const;
  /// All of them have looked, and nothing changes: as many more may begin at once.
  void letBegin();
  void setState(unsigned thread, bool isLooking);
  /// After a program has stopped: it has ended, or is set aside.
  void settle(unsigned thread, Frame &frame, bool wasInVain);
  void abandonAll();
  bool shallEnd() const {
    return m_kernel.execution.stop.stop_requested() || m_outOfMemory || m_isEndless;
  }

  const PreparedKernel &m_kernel;
  const ProgramSequence &m_programs;
  ProgramChunks m_chunks;
  /// Programs in vain are counted in multiples of it; 0: about.
  size_t m_unit;
  size_t m_mostResident;
  bool m_setsAside;
  size_t m_numTakingTurns;
  std::atomic<uint64_t> m_done = 0;
  std::atomic<bool> m_outOfMemory = false, m_isEndless = false;
  /// So that a thread without waiting programs needs no lock.
  std::atomic<size_t> m_numParked = 0;

  std::mutex m_mutex;
  std::vector<std::unique_ptr<Frame>> m_frames;
  std::vector<Frame *> m_free;
  ParkedPrograms m_parked;
  /// From where on the next look is, in turn; and whether the first one is looked at before: what
  /// has changed is most often what the earliest program waits for.
  uint32_t m_turn = 0;
  bool m_isFirstDue = false, m_wasFirst = false;
  /// The same numbers each time.
  std::mt19937 m_random;
  std::vector<ThreadState> m_threads;
  /// What programs look at has been changed so often.
  uint64_t m_numChanges = 1;
  /// Looks in vain since anything has changed, and what they took.
  uint64_t m_looksInVain = 0;
  /// Programs that may begin before those that wait look again.
  size_t m_freshLeft = 0;
  /// Twice the time that the last looks in vain took, or more.
  std::chrono::nanoseconds m_usualLook = kUsualLook;
  WaitInVain m_waiting;
  uint64_t m_instructionsInVain = 0;
  std::chrono::nanoseconds m_timeInVain{};
};

} // namespace

GridRun::GridRun(const PreparedKernel &kernel, const ProgramSequence &programs, unsigned numThreads,
                 const InterpreterOptions &options,
                 const std::function<AccessObserver &()> &observer)
    : m_kernel(kernel), m_programs(programs), m_chunks(programs.count, numThreads),
      m_unit(options.multiprocessors), m_setsAside(!observer), m_threads(numThreads) {
  const Program &program = *kernel.execution.program;
  const size_t bytes =
      program.memorySize + program.sharedBytes +
      (kernel.execution.definedness ? kernel.execution.definedness->memorySize : 0) +
      program.values.size() * sizeof(Slot);
  m_mostResident =
      std::clamp<size_t>(kResidentBytes / std::max<size_t>(bytes, 1), 2, kMostResident);
  m_numTakingTurns = std::min(programs.numTakingTurns, m_mostResident);
  m_random.seed(std::mt19937::default_seed + programs.seed);
  for (unsigned i = 0; i < numThreads; ++i) {
    m_free.push_back(&newFrame());
    if (observer)
      m_free.back()->observer = &observer();
  }
}

Frame &GridRun::newFrame() {
  const Execution &execution = m_kernel.execution;
  Frame &frame = *m_frames.emplace_back(std::make_unique<Frame>(execution, *execution.program, 1));
  m_kernel.setArguments(frame);
  frame.patience = m_setsAside ? kPatience : 0;
  frame.mostTurns = m_numTakingTurns > 0 ? turnsOfEach(m_programs.count) : 0;
  return frame;
}

bool GridRun::isBusyElsewhere(unsigned thread, Clock::duration longestLook) const {
  for (unsigned i = 0; i < m_threads.size(); ++i)
    if (i != thread && m_threads[i].isRunning &&
        (!m_threads[i].isLooking || Clock::now() - m_threads[i].since > longestLook))
      return true;
  return false;
}

void GridRun::setState(unsigned thread, bool isLooking) {
  m_threads[thread] = {true, isLooking, Clock::now()};
}

size_t GridRun::numUnderWay() const {
  return m_parked.size() +
         static_cast<size_t>(std::ranges::count(m_threads, true, &ThreadState::isRunning));
}

void GridRun::letBegin() {
  const size_t numWaiting = numUnderWay();
  // So many more at once that looks do not grow with the square.
  m_freshLeft = 1 + m_parked.size() / 2;
  m_looksInVain = 0;
  // As many as a GPU may hold all have to look before the next one begins.
  if (m_unit != 0)
    m_freshLeft = std::min(m_freshLeft, m_unit - numWaiting % m_unit);
  if (m_parked.empty() || numWaiting <= m_waiting.inVain || !hasUnbegun())
    return;
  const Frame &first = *m_parked.begin()->second;
  m_waiting.inVain = numWaiting;
  m_waiting.programId = first.programId();
  m_waiting.location = m_kernel.execution.program->code[first.resumesAt()].location;
}

GridRun::Fresh GridRun::nextFresh(unsigned thread) {
  const size_t numParked = m_parked.size();
  if (m_looksInVain >= numParked && m_freshLeft == 0 && !isBusyElsewhere(thread, m_usualLook))
    letBegin();
  // Some may wait while as many threads as before go on; more only when nothing else helps.
  const bool mayBegin = numParked == 0 || numParked + 1 < m_threads.size() ||
                        (numParked < m_numTakingTurns &&
                         (m_programs.turns != Turns::Random || m_random() % 2 == 0)) ||
                        (m_freshLeft > 0 && numParked < m_mostResident);
  if (!mayBegin)
    return {};
  const std::optional<uint64_t> index =
      numParked == 0 ? m_chunks.takeNext(thread) : m_chunks.takeFirst(thread);
  if (!index)
    return {};
  if (m_free.empty())
    m_free.push_back(&newFrame());
  Frame *frame = m_free.back();
  m_free.pop_back();
  setState(thread, false);
  m_freshLeft -= m_freshLeft > 0;
  m_waiting.atOnce = std::max<uint64_t>(m_waiting.atOnce, numUnderWay());
  return {frame, *index};
}

void GridRun::settle(unsigned thread, Frame &frame, bool wasInVain) {
  const std::lock_guard lock(m_mutex);
  m_threads[thread].isRunning = false;
  // Nothing is known of accesses that not all programs made.
  m_isEndless = m_isEndless || (!m_setsAside && !frame.allCompleted);
  if (!wasInVain) {
    m_looksInVain = m_instructionsInVain = 0;
    m_timeInVain = {};
    m_isFirstDue = true;
  }
  m_numChanges += frame.hasChanged();
  if (frame.isParked()) {
    m_parked.emplace(frame.programNumber(), &frame);
  } else {
    m_free.push_back(&frame);
    ++m_done;
  }
  m_numParked = m_parked.size();
}

void GridRun::abandonAll() {
  m_isEndless = true;
  std::string reason = "while it waits";
  if (m_parked.size() > 1)
    reason = "while all programs that run wait";
  if (const uint64_t begun = m_kernel.execution.numBegun; begun < m_programs.count)
    reason += ", " + std::to_string(m_parked.size()) + " at once, and " +
              std::to_string(m_programs.count - begun) +
              " more cannot begin before one of them ends";
  std::set<uint32_t> waiting;
  // Each loop once.
  std::map<uint32_t, std::pair<Frame *, uint64_t>> loops;
  for (const auto &[number, frame] : m_parked) {
    ++loops.try_emplace(frame->resumesAt(), frame, 0).first->second.second;
    waiting.insert(number);
  }
  for (const auto &[place, loop] : loops)
    loop.first->abandon(reason, loop.second, waiting);
  m_parked.clear();
  m_numParked = 0;
}

ParkedPrograms::iterator GridRun::nextInTurn() {
  // Not twice in a row, so that each gets its turn.
  m_wasFirst = m_isFirstDue && !m_wasFirst;
  m_isFirstDue &= !m_wasFirst;
  auto chosen = m_wasFirst ? m_parked.begin() : m_parked.lower_bound(m_turn);
  if (chosen == m_parked.end())
    chosen = m_parked.begin();
  if (!m_wasFirst)
    m_turn = chosen->first + 1;
  return chosen;
}

Frame *GridRun::nextToLook(unsigned thread) {
  const std::lock_guard lock(m_mutex);
  if (m_parked.empty())
    return nullptr;
  // Where more wait than take turns, most of them wait for others that have not begun; and where one
  // was drawn at random in vain, the one that the others wait for has to come.
  const bool isDrawn = m_numTakingTurns > 0 && m_parked.size() <= m_numTakingTurns &&
                       (m_programs.turns != Turns::Random || m_looksInVain == 0);
  const auto chosen =
      isDrawn ? drawTurn(m_parked, m_programs.turns, m_numChanges, m_random) : nextInTurn();
  Frame *frame = chosen->second;
  m_parked.erase(chosen);
  m_numParked = m_parked.size();
  setState(thread, true);
  const bool haveAllLooked = m_looksInVain > m_parked.size();
  frame->patience = mayOthersBegin() ? kShortLook : haveAllLooked ? kMostPatience : kPatience;
  return frame;
}

void GridRun::look(unsigned thread) {
  Frame *frame = nextToLook(thread);
  if (!frame)
    return;
  const Clock::time_point start = Clock::now();
  const uint64_t before = frame->executed;
  frame->resume();
  const bool wasInVain = frame->isParked() && !frame->hasChanged() && !frame->gaveWay();
  const Clock::duration duration = Clock::now() - start;
  const uint64_t instructions = frame->executed - before;
  if (wasInVain)
    frame->forgive(before, duration);
  settle(thread, *frame, wasInVain);
  if (!wasInVain)
    return;
  const std::lock_guard lock(m_mutex);
  ++m_looksInVain;
  const std::chrono::nanoseconds took = std::min<std::chrono::nanoseconds>(duration, kLongestLook);
  m_usualLook = std::max<std::chrono::nanoseconds>(kUsualLook, (7 * m_usualLook + 2 * took) / 8);
  if (isBusyElsewhere(thread, kLongestLook) || mayOthersBegin())
    return;
  m_instructionsInVain += instructions;
  m_timeInVain += duration;
  const uint64_t most = m_kernel.execution.maxInstructionsPerProgram;
  const std::chrono::nanoseconds longest = m_kernel.execution.maxProgramDuration;
  if ((most != 0 && m_instructionsInVain > most) ||
      (longest.count() != 0 && m_timeInVain > longest))
    abandonAll();
}

void GridRun::work(unsigned thread) {
  try {
    while (!shallEnd()) {
      Fresh fresh;
      {
        const std::lock_guard lock(m_mutex);
        fresh = nextFresh(thread);
      }
      Frame *frame = fresh.frame;
      if (!frame) {
        if (m_numParked == 0 && !m_chunks.hasOwn(thread) && !hasProgramsLeft())
          return;
        look(thread);
        continue;
      }
      frame->patience = m_setsAside ? kPatience : 0;
      // The usual case: nobody waits, and no lock is needed from one program to the next.
      for (std::optional<uint64_t> index = fresh.index; index;) {
        frame->runProgram(m_programs.at(*index));
        if (frame->isParked() || m_numParked != 0 || shallEnd() ||
            !(index = m_chunks.takeOwn(thread)))
          break;
        ++m_done;
      }
      settle(thread, *frame, false);
    }
  } catch (const std::bad_alloc &) {
    m_outOfMemory = true;
  }
}

RunGrid runGrid(const PreparedKernel &kernel, const ProgramSequence &programs, unsigned numThreads,
                const InterpreterOptions &options,
                const std::function<AccessObserver &()> &observer) {
  GridRun run(kernel, programs, numThreads, options, observer);
  {
    ProgressReport progress(options, run.numDone(), programs.count);
    std::binary_semaphore hasEnded(0); // Outlives the thread that releases it.
    std::vector<std::jthread> threads;
    if (numThreads > 1) {
      threads.emplace_back([&] {
        run.work(0);
        hasEnded.release();
      });
      waitAlone(threads.front(), hasEnded);
    } else {
      run.work(0);
    }
    if (run.hasProgramsLeft())
      for (unsigned thread = 1; thread < numThreads; ++thread)
        threads.emplace_back([&run, thread] { run.work(thread); });
  }
  if (run.isOutOfMemory())
    throw std::bad_alloc();
  return run.take();
}

} // namespace tilescope::compiler::interpreter
