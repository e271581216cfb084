// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/BenchLaunches.h"

#include "app/commands/MakePackage.h"

#include <chrono>
#include <fmt/format.h>

namespace tilescope::app {

using profiler::Measurement;

std::string compilerName(compiler::WorkerClient &worker) {
  std::string name = "tilescope " TILESCOPE_VERSION;
  const Result<compiler::HelloReply> hello = worker.hello();
  if (!hello)
    return name;
  name += ", LLVM " + hello->llvmVersion;
  for (const compiler::ToolInfo &tool : hello->tools)
    if (tool.name == "ptxas" && !tool.path.empty())
      name += ", ptxas " + tool.version;
  return name;
}

static profiler::BenchKey keyOf(const Measurement &measurement, const std::string &compiler) {
  profiler::BenchKey key;
  key.gpu = measurement.device.name;
  const int32_t driver = measurement.device.driverVersion;
  key.driver = fmt::format("{}.{}", driver / 1000, driver % 1000 / 10);
  key.compiler = compiler;
  if (measurement.conditions && measurement.conditions->smClockMhz)
    key.smClockMhz = measurement.conditions->smClockMhz->most;
  return key;
}

BenchedLaunch benchLaunch(compiler::WorkerClient &worker, const InputFile &input,
                          const compiler::Selection &selection, const TogetherOptions &options,
                          const std::string &compilerName) {
  const auto start = std::chrono::steady_clock::now();
  BenchedLaunch launch;
  launch.record.file = input.path;
  launch.record.launch = selection.launch;
  CompiledPackage compiled = compilePackage(worker, input, selection);
  launch.diagnostics = std::move(compiled.diagnostics);
  launch.files = std::move(compiled.files);
  const auto finish = [&] {
    launch.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return std::move(launch);
  };
  if (!compiled.package) {
    launch.error = compiled.package.error();
    return finish();
  }
  launch.record.kernel = compiled.package->plan.kernel;
  launch.record.work = profiler::workText(compiled.package->plan);
  Result<profiler::InterleavedRun> run = measureTogether({*compiled.package}, options);
  if (!run || run->kernels[0].error) {
    launch.error = run ? *run->kernels[0].error : run.error();
    return finish();
  }
  launch.measurement = std::move(run->kernels[0].measurement);
  launch.record.key = keyOf(*launch.measurement, compilerName);
  launch.record.rounds = std::move(run->kernels[0].rounds);
  return finish();
}

} // namespace tilescope::app
