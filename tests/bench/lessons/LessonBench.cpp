// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What a keystroke costs in a lesson: from the edited text to the state of all goals, compile, counts
// and runs included. Each iteration checks a text that was not seen before: a number in the kernel
// grows, so no stage that depends on it comes from the cache.
#include "app/commands/CheckLesson.h"
#include "app/commands/CompileFile.h"
#include "app/lesson/LessonFile.h"

#include <benchmark/benchmark.h>
#include <cstdio>

using namespace tilescope;
using namespace tilescope::app;

/// The kernel with a first statement that is another one each time, and that the compiler removes.
static std::string edited(const std::string &text, int number) {
  const size_t def = text.rfind("\ndef ");
  size_t body = text.find("):\n", def);
  body = body == std::string::npos ? text.size() : body + 3;
  return text.substr(0, body) + "    tl.static_assert(" + std::to_string(number) + " > 0)\n" +
         text.substr(body);
}

static void checkGoals(benchmark::State &state, const Lesson &lesson, const std::string &text) {
  compiler::WorkerClient worker(workerOptions());
  int number = 1;
  for (auto _ : state) {
    const auto states = checkAttempt(worker, {lesson, "kernel.py", edited(text, number++)});
    if (!states)
      return state.SkipWithError(states.error().message.c_str());
    benchmark::DoNotOptimize(states->size());
  }
}

int main(int argc, char **argv) {
  benchmark::Initialize(&argc, argv);
  const Result<std::vector<Chapter>> chapters = readCurriculum(TILESCOPE_LESSONS);
  if (!chapters) {
    std::fprintf(stderr, "%s\n", chapters.error().message.c_str());
    return 1;
  }
  std::vector<std::unique_ptr<const Lesson>> lessons;
  for (const Chapter &chapter : *chapters)
    for (const std::string &id : chapter.lessons) {
      Result<Lesson> lesson = readLesson(std::string(TILESCOPE_LESSONS "/") + id);
      if (!lesson) {
        std::fprintf(stderr, "%s\n", lesson.error().message.c_str());
        return 1;
      }
      const Lesson &kept =
          *lessons.emplace_back(std::make_unique<const Lesson>(std::move(*lesson)));
      benchmark::RegisterBenchmark(
          id.c_str(), [&kept](benchmark::State &state) { checkGoals(state, kept, kept.solution); })
          ->Unit(benchmark::kMillisecond)
          ->UseRealTime();
    }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
