// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// From source text to PTX, in process, for every example and for kernels whose blocks unroll into
// long programs (`kernels/`): median and 95th percentile of the time after which each stage is
// there, and medians of the slowest passes. Nothing comes from the cache: every round compiles
// under another path.
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

/// Passes that take less are not worth a column.
static constexpr double kShownPassMs = 5;

static double percentile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  return values[static_cast<size_t>(share * static_cast<double>(values.size() - 1))];
}

static void compileKernel(benchmark::State &state, const std::string &path) {
  const Result<std::string> text = profiler::readFile(path);
  if (!text)
    return state.SkipWithError("the kernel cannot be read");
  CompileRequest request;
  request.text = *text;
  request.selection = app::resolveLaunch(request).selection;
  request.stopAfter = StageId::Ptx;
  request.collectFacts = true;

  Compiler compiler(findCudaToolkit());
  request.path = "warm-up.py";
  if (!compiler.compile(request).result.ok)
    return state.SkipWithError("the kernel does not compile");
  std::map<StageId, std::vector<double>> times;
  std::map<std::string, std::vector<double>> passTimes;
  int round = 0;
  for (auto _ : state) {
    request.path = std::to_string(++round) + ".py";
    const Clock::time_point start = Clock::now();
    CompileHooks hooks;
    hooks.stageFinished = [&](const CompileResult &, const Stage &stage) {
      times[stage.id].push_back(
          std::chrono::duration<double, std::milli>(Clock::now() - start).count());
    };
    const CompileOutcome outcome = compiler.compile(request, hooks);
    for (const PassRecord &pass : outcome.result.passes)
      passTimes[pass.name].push_back(static_cast<double>(pass.durationNs) / 1e6);
  }
  for (const auto &[stage, values] : times) {
    const std::string name(stageName(stage));
    state.counters[name + "_p50_ms"] = percentile(values, 0.5);
    state.counters[name + "_p95_ms"] = percentile(values, 0.95);
  }
  for (const auto &[pass, values] : passTimes)
    if (const double median = percentile(values, 0.5); median >= kShownPassMs)
      state.counters["pass:" + pass + "_ms"] = median;
}

static void registerFolder(const std::string &prefix, const char *folder) {
  std::vector<std::filesystem::path> kernels;
  for (const auto &entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".py")
      kernels.push_back(entry.path());
  std::sort(kernels.begin(), kernels.end());
  for (const std::filesystem::path &path : kernels)
    benchmark::RegisterBenchmark(
        (prefix + path.stem().string()).c_str(),
        [path](benchmark::State &state) { compileKernel(state, path.string()); })
        ->Unit(benchmark::kMillisecond);
}

int main(int argc, char **argv) {
  registerFolder("compile/", TILESCOPE_EXAMPLES);
  registerFolder("compile_long/", TILESCOPE_LONG_KERNELS);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
