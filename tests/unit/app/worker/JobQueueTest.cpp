// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/worker/JobQueue.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <thread>
#include <vector>

using namespace tilescope;
using namespace tilescope::app;

static Job job(compiler::JobId id) {
  compiler::CompileMessage message;
  message.job = id;
  return {std::move(message), {}};
}

TEST_CASE("jobs come out in the order in which they went in", "[compiler]") {
  JobQueue jobs;
  const std::stop_token arrival = jobs.arrival();
  CHECK(jobs.empty());
  CHECK_FALSE(arrival.stop_requested());
  jobs.push(job(3));
  jobs.push(job(1));
  CHECK(arrival.stop_requested());
  CHECK(jobs.pop()->id() == 3);
  CHECK(jobs.pop()->id() == 1);
  CHECK(jobs.empty());
}

TEST_CASE("a job is stopped while it waits and while it runs, others are not", "[compiler]") {
  JobQueue jobs;
  for (const compiler::JobId id : {1, 2, 3})
    jobs.push(job(id));
  jobs.cancel(2);
  const std::optional<Job> first = jobs.pop();
  REQUIRE(first);
  CHECK_FALSE(first->stop.stop_requested());
  jobs.cancel(1);
  jobs.cancel(7);
  CHECK(first->stop.stop_requested());
  CHECK(jobs.pop()->stop.stop_requested());
  // The first is done: its number means nothing any more.
  jobs.cancel(1);
  CHECK_FALSE(jobs.pop()->stop.stop_requested());
}

TEST_CASE("a closed queue stops what runs, drops what waits, and wakes who waits", "[compiler]") {
  JobQueue jobs;
  jobs.push(job(1));
  jobs.push(job(2));
  const std::optional<Job> running = jobs.pop();
  jobs.close();
  CHECK(running->stop.stop_requested());
  CHECK_FALSE(jobs.pop());
  JobQueue idle;
  bool isClosed = false;
  std::jthread waiting([&] { isClosed = !idle.pop(); });
  idle.close();
  waiting.join();
  CHECK(isClosed);
}

TEST_CASE("threads that push, cancel, pop and close at once lose no job", "[compiler]") {
  constexpr int kRounds = 20, kJobs = 500;
  for (int round = 0; round < kRounds; ++round) {
    JobQueue jobs;
    std::vector<compiler::JobId> done;
    std::jthread worker([&] {
      while (std::optional<Job> next = jobs.pop()) {
        done.push_back(next->id());
        if (done.size() == kJobs)
          jobs.close();
      }
    });
    std::jthread canceller([&] {
      std::mt19937 random(static_cast<unsigned>(round));
      for (int i = 0; i < kJobs; ++i)
        jobs.cancel(static_cast<compiler::JobId>(random() % kJobs));
    });
    for (int i = 0; i < kJobs; ++i)
      jobs.push(job(static_cast<compiler::JobId>(i)));
    worker.join();
    canceller.join();
    CHECK(std::ranges::is_sorted(done));
    CHECK(done.size() == kJobs);
  }
}
