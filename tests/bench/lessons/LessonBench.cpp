// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What a keystroke costs in a lesson: from the edited text to the state of all goals, compile, counts
// and runs included. Each iteration checks a text that was not seen before: a number in the kernel
// grows, so no stage up to PTX comes from the cache. Machine code does, since its text stays the same. `cpu_ms` is the processor time of it
// all, worker and assembler included, and `first_ms` the time until the first goal is told.
#include "app/commands/CheckLesson.h"
#include "app/commands/CompileFile.h"
#include "app/lesson/LessonFile.h"

#include <benchmark/benchmark.h>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <unistd.h>

using namespace tilescope;
using namespace tilescope::app;

/// The kernel with a first statement that is another one each time: every stage up to PTX is made anew.
static std::string edited(const std::string &text, int number) {
  const size_t def = text.rfind("\ndef ");
  size_t body = text.find("):\n", def);
  body = body == std::string::npos ? text.size() : body + 3;
  return text.substr(0, body) + "    tl.assume(tl.num_programs(0) < " +
         std::to_string(1'000'000 + number) + ")\n" + text.substr(body);
}

/// Processor time of a process and of those of its children that have ended.
static double cpuMsOf(const std::string &pid) {
  std::ifstream file("/proc/" + pid + "/stat");
  std::string line;
  std::getline(file, line);
  const size_t end = line.rfind(')');
  if (end == std::string::npos)
    return 0;
  std::istringstream fields(line.substr(end + 2));
  std::string skipped;
  for (int i = 0; i < 11; ++i)
    fields >> skipped;
  double ticks = 0, each = 0;
  for (int i = 0; i < 4 && fields >> each; ++i)
    ticks += each;
  return 1000 * ticks / static_cast<double>(sysconf(_SC_CLK_TCK));
}

/// Of this process and its worker.
static double cpuMs() {
  double sum = cpuMsOf("self");
  std::ifstream children("/proc/self/task/" + std::to_string(getpid()) + "/children");
  for (std::string pid; children >> pid;)
    sum += cpuMsOf(pid);
  return sum;
}

static void checkGoals(benchmark::State &state, const Lesson &lesson, const std::string &text) {
  using Clock = std::chrono::steady_clock;
  compiler::WorkerClient worker(workerOptions());
  KeptFacts kept;
  Clock::time_point start;
  double firstMs = 0;
  bool isTold = false;
  AttemptOptions options;
  options.kept = &kept;
  options.told = [&](size_t, const GoalState &) {
    if (!isTold)
      firstMs += std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    isTold = true;
  };
  int number = 1;
  const auto check = [&] {
    start = Clock::now();
    isTold = false;
    return checkAttempt(worker, {lesson, "kernel.py", edited(text, number++)}, options);
  };
  // The worker's start is no part of a keystroke.
  if (const auto warm = check(); !warm)
    return state.SkipWithError(warm.error().message.c_str());
  firstMs = 0;
  const double before = cpuMs();
  for (auto _ : state) {
    const auto states = check();
    if (!states)
      return state.SkipWithError(states.error().message.c_str());
    benchmark::DoNotOptimize(states->size());
  }
  const auto each = static_cast<double>(state.iterations());
  state.counters["cpu_ms"] = (cpuMs() - before) / each;
  state.counters["first_ms"] = firstMs / each;
}

int main(int argc, char **argv) {
  benchmark::Initialize(&argc, argv);
  const Result<std::vector<Chapter>> chapters = readCurriculum(TILESCOPE_LESSONS);
  if (!chapters) {
    std::fprintf(stderr, "%s\n", chapters.error().message.c_str());
    return 1;
  }
  std::vector<std::unique_ptr<const Lesson>> lessons;
  const auto add = [](const std::string &name, const Lesson &lesson, const std::string &text) {
    benchmark::RegisterBenchmark(name.c_str(),
                                 [&](benchmark::State &state) { checkGoals(state, lesson, text); })
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();
  };
  for (const Chapter &chapter : *chapters)
    for (const std::string &id : chapter.lessons) {
      Result<Lesson> lesson = readLesson(std::string(TILESCOPE_LESSONS "/") + id);
      if (!lesson) {
        std::fprintf(stderr, "%s\n", lesson.error().message.c_str());
        return 1;
      }
      const Lesson &kept =
          *lessons.emplace_back(std::make_unique<const Lesson>(std::move(*lesson)));
      add(id + "/start", kept, kept.start);
      add(id + "/solution", kept, kept.solution);
    }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
