// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Threads that are kept between grids: when they join, and that nothing of one grid reaches the next.
#include "compiler/native/ProgramThreads.h"
#include "tests/support/Sanitized.h"
#include "tests/unit/compiler/native/RunNative.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <functional>
#include <map>
#include <set>
#include <thread>

using namespace tilescope;
using namespace tilescope::tests;

namespace {

/// Does what a test says, and counts. The body returns whether what it waited for came: one thread at a time
/// may check with Catch2.
struct TestWork : native::SharedWork {
  std::function<bool(unsigned)> body;
  std::mutex mutex;
  std::map<unsigned, std::thread::id> threads;
  std::atomic<int> numLooks = 0;
  std::atomic<bool> hasAllCome = true;

  explicit TestWork(std::function<bool(unsigned)> what) : body(std::move(what)) {}
  void execute(unsigned thread) override {
    {
      const std::scoped_lock lock(mutex);
      threads[thread] = std::this_thread::get_id();
    }
    if (!body(thread))
      hasAllCome = false;
  }
  void look() override { ++numLooks; }
};

} // namespace

/// Waits, for ten seconds at most.
template <typename Condition> static bool becomes(Condition condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end)
      return false;
    std::this_thread::yield();
  }
  return true;
}

TEST_CASE("threads that are called join, and are the same ones in the next work",
          "[compiler][native]") {
  native::ProgramThreads threads;
  std::map<unsigned, std::thread::id> first;
  for (int i = 0; i < 3; ++i) {
    std::atomic<int> numInside = 0;
    TestWork work([&](unsigned thread) {
      if (thread == 0)
        threads.callOthers();
      ++numInside;
      return becomes([&] { return numInside == 4; });
    });
    threads.run(work, 4);
    CHECK(work.hasAllCome);
    REQUIRE(work.threads.size() == 4);
    CHECK(work.threads[0] == std::this_thread::get_id());
    if (i > 0)
      CHECK(work.threads == first);
    first = work.threads;
  }
}

TEST_CASE("threads that are not called do not join", "[compiler][native]") {
  native::ProgramThreads threads;
  TestWork work([](unsigned) { return true; });
  for (int i = 0; i < 100; ++i)
    threads.run(work, 4);
  CHECK(work.threads.size() == 1);
}

TEST_CASE("work with fewer threads is not joined by the others", "[compiler][native]") {
  native::ProgramThreads threads;
  for (const unsigned numThreads : {4U, 2U, 3U}) {
    std::atomic<unsigned> numInside = 0;
    TestWork work([&](unsigned thread) {
      if (thread == 0)
        threads.callOthers();
      ++numInside;
      return becomes([&] { return numInside == numThreads; });
    });
    threads.run(work, numThreads);
    CHECK(work.hasAllCome);
    CHECK(work.threads.size() == numThreads);
  }
}

TEST_CASE("the watch looks at work that takes long, and calls the other threads",
          "[compiler][native]") {
  native::ProgramThreads threads;
  std::atomic<bool> hasOther = false;
  TestWork work([&](unsigned thread) {
    if (thread == 1)
      hasOther = true;
    return becomes([&] { return hasOther.load(); });
  });
  threads.run(work, 2);
  CHECK(work.hasAllCome);
  CHECK(work.threads.size() == 2);
  CHECK(work.numLooks > 0);
}

TEST_CASE("the watch looks again after it has slept", "[compiler][native]") {
  native::ProgramThreads threads;
  TestWork brief([](unsigned) { return true; });
  threads.run(brief, 1);
  // Longer than it looks at nothing.
  std::this_thread::sleep_for(std::chrono::milliseconds(1300));
  TestWork work([&](unsigned) { return becomes([&] { return work.numLooks > 0; }); });
  threads.run(work, 1);
  CHECK(work.hasAllCome);
  CHECK(work.numLooks > 0);
}

TEST_CASE("memory of a thread is kept until it is too much", "[compiler][native]") {
  native::ThreadScratch scratch;
  std::byte *first = scratch.ofSize(1000);
  CHECK(reinterpret_cast<uintptr_t>(first) % 64 == 0);
  scratch.shrink();
  CHECK(scratch.ofSize(500) == first);
  scratch.ofSize(size_t(64) << 20)[(size_t(64) << 20) - 1] = std::byte(1);
  scratch.shrink();
  std::byte *again = scratch.ofSize(1000);
  again[999] = std::byte(1);
  CHECK(reinterpret_cast<uintptr_t>(again) % 64 == 0);
}

/// Each program adds 1 to its element, after it has waited for that of program 1 if it is program 0
/// and the argument says so.
static constexpr const char *kWaiting = R"(
tt.func public @k(%out: !tt.ptr<i32>, %waits: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %true = arith.constant true
  %id = tt.get_program_id x : i32
  %isFirst = arith.cmpi eq, %id, %zero : i32
  %shallWait = arith.cmpi ne, %waits, %zero : i32
  %both = arith.andi %isFirst, %shallWait : i1
  scf.if %both {
    %other = tt.addptr %out, %one : !tt.ptr<i32>, i32
    scf.while : () -> () {
      %seen = tt.atomic_rmw add, acq_rel, gpu, %other, %zero, %true : (!tt.ptr<i32>, i32, i1) -> i32
      %goesOn = arith.cmpi eq, %seen, %zero : i32
      scf.condition(%goesOn)
    } do {
      scf.yield
    }
  }
  %at = tt.addptr %out, %id : !tt.ptr<i32>, i32
  %old = tt.atomic_rmw add, acq_rel, gpu, %at, %one, %true : (!tt.ptr<i32>, i32, i1) -> i32
  tt.return
}
)";

TEST_CASE("a program may wait for one that no thread has begun, also where all took no time before",
          "[compiler][native]") {
  native::ProgramThreads threads;
  const native::NativeKernel kernel = compiledKernel(kWaiting);
  const native::GridOptions options{.grid = {2, 1, 1}, .numThreads = 2, .threads = &threads};
  for (const uint64_t waits : {0, 1, 0, 1}) {
    std::vector<int32_t> out(2);
    CHECK(native::runGrid(kernel, std::array{word(out), waits}, options).completed);
    CHECK(out == std::vector<int32_t>{1, 1});
  }
}

TEST_CASE("grids that are stopped leave those behind them alone", "[compiler][native]") {
  if (tests::kDefersSignals)
    return;
  native::ProgramThreads threads;
  const native::NativeKernel kernel = compiledKernel(kWaiting);
  for (int i = 0; i < 20; ++i) {
    native::GridOptions options{.grid = {1, 1, 1}, .numThreads = 4, .threads = &threads};
    std::stop_source stop;
    options.stop = stop.get_token();
    std::jthread stopping([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      stop.request_stop();
    });
    std::vector<int32_t> out(64);
    CHECK_FALSE(native::runGrid(kernel, std::array{word(out), uint64_t(1)}, options).completed);
    options = {.grid = {64, 1, 1}, .numThreads = 4, .threads = &threads};
    CHECK(native::runGrid(kernel, std::array{word(out), uint64_t(0)}, options).completed);
    CHECK(out == std::vector<int32_t>(64, 1));
  }
}
