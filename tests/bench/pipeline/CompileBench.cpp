// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// From source text to PTX, in process, for every example: median and 95th percentile of the time
// after which each stage is there. Nothing comes from the cache: every round compiles under another
// path.
#include "app/launch/ResolveLaunch.h"
#include "compiler/pipeline/Compiler.h"
#include "profiler/data/FileIo.h"

#include <algorithm>
#include <benchmark/benchmark.h>
#include <chrono>
#include <filesystem>
#include <map>
#include <vector>

using namespace tilescope;
using namespace tilescope::compiler;
using Clock = std::chrono::steady_clock;

static double percentile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  return values[static_cast<size_t>(share * static_cast<double>(values.size() - 1))];
}

static void compileExample(benchmark::State &state, const std::string &path) {
  const Result<std::string> text = profiler::readFile(path);
  if (!text)
    return state.SkipWithError("the example cannot be read");
  CompileRequest request;
  request.text = *text;
  request.selection = app::resolveLaunch(request).selection;
  request.stopAfter = StageId::Ptx;
  request.collectFacts = true;

  Compiler compiler(findCudaToolkit());
  request.path = "warm-up.py";
  if (!compiler.compile(request).result.ok)
    return state.SkipWithError("the example does not compile");
  std::map<StageId, std::vector<double>> times;
  int round = 0;
  for (auto _ : state) {
    request.path = std::to_string(++round) + ".py";
    const Clock::time_point start = Clock::now();
    CompileHooks hooks;
    hooks.stageFinished = [&](const CompileResult &, const Stage &stage) {
      times[stage.id].push_back(
          std::chrono::duration<double, std::milli>(Clock::now() - start).count());
    };
    benchmark::DoNotOptimize(compiler.compile(request, hooks));
  }
  for (const auto &[stage, values] : times) {
    const std::string name(stageName(stage));
    state.counters[name + "_p50_ms"] = percentile(values, 0.5);
    state.counters[name + "_p95_ms"] = percentile(values, 0.95);
  }
}

int main(int argc, char **argv) {
  std::vector<std::filesystem::path> examples;
  for (const auto &entry : std::filesystem::directory_iterator(TILESCOPE_EXAMPLES))
    if (entry.path().extension() == ".py")
      examples.push_back(entry.path());
  std::sort(examples.begin(), examples.end());
  for (const std::filesystem::path &path : examples)
    benchmark::RegisterBenchmark(
        ("compile/" + path.stem().string()).c_str(),
        [path](benchmark::State &state) { compileExample(state, path.string()); })
        ->Unit(benchmark::kMillisecond);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
