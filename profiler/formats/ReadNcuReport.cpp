// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/formats/CubinLines.h"
#include "profiler/formats/NcuInstructions.h"
#include "profiler/formats/NcuLaunch.h"
#include "profiler/formats/NcuReport.h"
#include "profiler/formats/NcuReportFile.h"
#include "profiler/formats/Recording.h"

#include <algorithm>
#include <fmt/chrono.h>

namespace tilescope::profiler {

// More than anybody looks at; what a file has beyond them is an error, not lost.
static constexpr size_t kMostLaunches = 10000;

static std::array<int64_t, 3> extentsOf(const ncu::Extents &extents) {
  const auto extent = [](uint64_t value) {
    return static_cast<int64_t>(std::clamp<uint64_t>(value, 1, INT32_MAX));
  };
  return {extent(extents.x()), extent(extents.y()), extent(extents.z())};
}

/// The error names the metric.
static Result<NcuMetrics> metricsOf(const ncu::Launch &launch,
                                    const std::vector<std::string> &strings) {
  NcuMetrics metrics;
  for (const ncu::Metric &metric : launch.metrics()) {
    if (metric.name() >= strings.size())
      return Error{ErrorCode::InvalidInput,
                   "a metric has name " + std::to_string(metric.name()) + " of " +
                       std::to_string(strings.size()),
                   ""};
    metrics.emplace(strings[metric.name()], &metric);
  }
  return metrics;
}

static DeviceInfo deviceOf(const NcuMetrics &metrics) {
  const auto attribute = [&](const std::string &name) -> int64_t {
    const auto found = metrics.find("device__attribute_" + name);
    const auto value = found == metrics.end() ? std::nullopt : ncuValue(found->second->value());
    constexpr double kMost = 1e15;
    return value && *value >= 0 && *value < kMost ? static_cast<int64_t>(*value) : 0;
  };
  const auto word = [&](const std::string &name) {
    return static_cast<int32_t>(std::min<int64_t>(attribute(name), INT32_MAX));
  };
  DeviceInfo device;
  if (const auto found = metrics.find("device__attribute_display_name"); found != metrics.end())
    device.name = found->second->value().text();
  device.computeMajor = word("compute_capability_major");
  device.computeMinor = word("compute_capability_minor");
  device.numSms = word("multiprocessor_count");
  device.memoryBytes = attribute("total_memory");
  device.l2Bytes = attribute("l2_cache_size");
  device.smClockKHz = attribute("clock_rate");
  device.memoryClockKHz = attribute("memory_clock_rate");
  device.memoryBusBits = word("global_memory_bus_width");
  device.registersPerSm = attribute("max_registers_per_multiprocessor");
  device.sharedBytesPerSm = attribute("max_shared_memory_per_multiprocessor");
  device.sharedBytesPerBlock = attribute("max_shared_memory_per_block_optin");
  device.reservedSharedBytesPerBlock = attribute("reserved_shared_memory_per_block");
  device.threadsPerSm = word("max_threads_per_multiprocessor");
  device.blocksPerSm = word("max_blocks_per_multiprocessor");
  return device;
}

static Measurement measurementOf(const ncu::Launch &message, const NcuMetrics &metrics) {
  NcuLaunch launch;
  Measurement &begun = launch.measurement;
  begun.kernel =
      message.demangled_name().empty() ? message.function_name() : message.demangled_name();
  begun.launches = 1;
  begun.grid = extentsOf(message.grid());
  const std::array<int64_t, 3> block = extentsOf(message.block());
  begun.threads = std::min<int64_t>(block[0] * block[1], INT32_MAX) * block[2];
  begun.device = deviceOf(metrics);
  launch.counters.chip = chipOfCapability(std::to_string(begun.device.computeMajor) + "." +
                                          std::to_string(begun.device.computeMinor));
  for (const auto &[name, metric] : metrics)
    if (const std::optional<double> value = ncuValue(metric->value()))
      launch.add(name, *value);
  if (const auto passes = metrics.find("profiler__replayer_passes"); passes != metrics.end())
    launch.counters.passes =
        static_cast<int32_t>(std::clamp(ncuValue(passes->second->value()).value_or(0), 0., 1e6));
  Measurement measurement = std::move(launch).end("a report of Nsight Compute");
  measurement.samples = ncuSamples(metrics);
  measurement.executions = ncuExecutions(metrics);
  return measurement;
}

/// Gives samples and counts to lines, and adds the text of the file that the function is in.
static void addSource(const ncu::Source &source, ReportKernel &kernel) {
  const CubinLines lines = linesOfCubin(source.cubin());
  if (lines.path.empty())
    return;
  kernel.path = lines.path;
  kernel.isPython = kernel.path.ends_with(".py");
  for (const ncu::SourceFile &file : source.files().files())
    if (file.path() == lines.path)
      kernel.source = file.text();
  Measurement &measurement = *kernel.measurement;
  if (measurement.samples)
    addUpLines(*measurement.samples, lines.lineAt);
  if (measurement.executions)
    addUpLines(*measurement.executions, lines.lineAt);
}

static Result<ReportKernel> kernelOf(const ncu::Launch &launch, const NcuReportFile &file) {
  const Result<NcuMetrics> metrics = metricsOf(launch, file.strings);
  if (!metrics)
    return metrics.error();
  ReportKernel kernel = recordedKernel(measurementOf(launch, *metrics));
  if (const auto source = file.sources.find(launch.source().reference());
      source != file.sources.end())
    addSource(source->second, kernel);
  constexpr uint64_t kYear10000 = 253402300800;
  if (launch.creation_time() > 0 && launch.creation_time() < kYear10000)
    kernel.measuredAt =
        fmt::format("{:%FT%TZ}", fmt::gmtime(static_cast<std::time_t>(launch.creation_time())));
  return kernel;
}

Result<std::vector<ReportKernel>> readNcuReport(std::string_view bytes) {
  NcuReportFile file;
  std::vector<ReportKernel> kernels;
  const auto take = [&](const ncu::Launch &launch) -> Status {
    if (kernels.size() == kMostLaunches)
      return Error{ErrorCode::InvalidInput,
                   "the report has more than " + std::to_string(kMostLaunches) + " launches", ""};
    Result<ReportKernel> kernel = kernelOf(launch, file);
    if (!kernel)
      return kernel.error();
    kernels.push_back(std::move(*kernel));
    return {};
  };
  if (Status status = readNcuReportFile(bytes, file, take); !status)
    return status.error();
  if (kernels.empty())
    return Error{ErrorCode::InvalidInput,
                 file.numOthers > 0
                     ? "the report has results of ranges or graphs only, and none of a launch"
                     : "the report has no launch",
                 file.numOthers > 0 ? "`ncu --replay-mode kernel` profiles launches" : ""};
  return kernels;
}

} // namespace tilescope::profiler
