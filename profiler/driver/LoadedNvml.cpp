// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/data/DeviceWide.h"
#include "profiler/driver/DynamicLibrary.h"
#include "profiler/driver/Nvml.h"

namespace tilescope::profiler {

// NVML's interface is stable, and its header is not part of every toolkit: what is used of it is
// declared here.
namespace {
using Device = struct NvmlDevice *;
using NvmlResult = int;

struct Utilization {
  unsigned gpu = 0;
  unsigned memory = 0;
};

struct MemoryInfo {
  unsigned long long total = 0;
  unsigned long long free = 0;
  unsigned long long used = 0;
};

// Of the counters that a device keeps of itself, which NVML calls GPM.
using GpmSample = struct NvmlGpmSample *;

struct GpmSupport {
  unsigned version = 1;
  unsigned isSupported = 0;
};

struct GpmMetric {
  unsigned id = 0;
  NvmlResult result = 0;
  double value = 0;
  const char *shortName = nullptr;
  const char *longName = nullptr;
  const char *unit = nullptr;
};

/// NVML's own has room for more metrics, and reads `numMetrics` of them.
struct GpmMetrics {
  unsigned version = 1;
  unsigned numMetrics = 0;
  GpmSample first = nullptr, second = nullptr;
  GpmMetric metrics[kDeviceWideCounters.size()];
};

struct GpmApi {
  NvmlResult (*support)(Device, GpmSupport *) = nullptr;
  NvmlResult (*allocate)(GpmSample *) = nullptr;
  NvmlResult (*release)(GpmSample) = nullptr;
  NvmlResult (*sample)(Device, GpmSample) = nullptr;
  NvmlResult (*metrics)(GpmMetrics *) = nullptr;

  bool isComplete() const { return support && allocate && release && sample && metrics; }
};

struct Api {
  NvmlResult (*init)() = nullptr;
  const char *(*words)(NvmlResult) = nullptr;
  NvmlResult (*byPciBusId)(const char *, Device *) = nullptr;
  NvmlResult (*clock)(Device, int type, unsigned *mhz) = nullptr;
  NvmlResult (*maxClock)(Device, int type, unsigned *mhz) = nullptr;
  NvmlResult (*power)(Device, unsigned *milliwatts) = nullptr;
  NvmlResult (*powerLimit)(Device, unsigned *milliwatts) = nullptr;
  NvmlResult (*temperature)(Device, int sensor, unsigned *celsius) = nullptr;
  NvmlResult (*throttle)(Device, unsigned long long *bits) = nullptr;
  NvmlResult (*utilization)(Device, Utilization *) = nullptr;
  NvmlResult (*memory)(Device, MemoryInfo *) = nullptr;
  GpmApi gpm;
};

constexpr int kSmClock = 1, kMemoryClock = 2, kGpuSensor = 0;

class LoadedNvml : public Nvml {
public:
  explicit LoadedNvml(const Api &api) : m_api(api) {}
  ~LoadedNvml() override;

  Status open(const std::string &pciBusId) override;
  NvmlReading read() override;
  NvmlLimits limits() override;
  NvmlUse use() override;
  Granted beginActivity() override;
  Grant<std::map<std::string, double>> activity() override;

private:
  Granted takeSample(GpmSample &sample);
  DriverRefusal refusal(const char *call, NvmlResult result) const;

  Api m_api;
  GpmSample m_begin = nullptr, m_end = nullptr;
  Device m_device = nullptr;
};
} // namespace

Status LoadedNvml::open(const std::string &pciBusId) {
  const NvmlResult result = m_api.byPciBusId(pciBusId.c_str(), &m_device);
  if (result == 0)
    return {};
  return Error{ErrorCode::Environment,
               "NVML does not find the device " + pciBusId + ": " + m_api.words(result), ""};
}

/// A number that NVML reports, times `scale`.
template <typename... Before>
static std::optional<double> number(NvmlResult (*get)(Device, Before..., unsigned *), double scale,
                                    Device device, Before... before) {
  unsigned value = 0;
  if (get == nullptr || get(device, before..., &value) != 0)
    return std::nullopt;
  return value * scale;
}

NvmlReading LoadedNvml::read() {
  NvmlReading reading;
  reading.smClockMhz = number(m_api.clock, 1, m_device, kSmClock);
  reading.memoryClockMhz = number(m_api.clock, 1, m_device, kMemoryClock);
  reading.powerW = number(m_api.power, 1e-3, m_device);
  reading.temperatureC = number(m_api.temperature, 1, m_device, kGpuSensor);
  unsigned long long bits = 0;
  if (m_api.throttle && m_api.throttle(m_device, &bits) == 0)
    reading.throttleBits = bits;
  return reading;
}

NvmlLimits LoadedNvml::limits() {
  return {number(m_api.maxClock, 1, m_device, kSmClock), number(m_api.powerLimit, 1e-3, m_device)};
}

NvmlUse LoadedNvml::use() {
  NvmlUse use;
  Utilization rates;
  if (m_api.utilization && m_api.utilization(m_device, &rates) == 0)
    use.busyPercent = rates.gpu;
  MemoryInfo memory;
  if (m_api.memory && m_api.memory(m_device, &memory) == 0)
    use.usedMemoryBytes = double(memory.used);
  return use;
}

LoadedNvml::~LoadedNvml() {
  for (GpmSample sample : {m_begin, m_end})
    if (sample)
      m_api.gpm.release(sample);
}

/// NVML's numbers of results that mean a refusal of some kind.
static RefusalKind refusalOf(NvmlResult result) {
  constexpr NvmlResult kNotSupported = 3, kNoPermission = 4, kMemory = 20, kInUse = 19;
  switch (result) {
  case kNotSupported:
    return RefusalKind::DeviceUnsupported;
  case kNoPermission:
    return RefusalKind::NotPermitted;
  case kInUse:
    return RefusalKind::Busy;
  case kMemory:
    return RefusalKind::OutOfMemory;
  default:
    return RefusalKind::Other;
  }
}

DriverRefusal LoadedNvml::refusal(const char *call, NvmlResult result) const {
  return {refusalOf(result), std::string(call) + " failed: " + m_api.words(result)};
}

Granted LoadedNvml::takeSample(GpmSample &sample) {
  if (!sample)
    if (const NvmlResult result = m_api.gpm.allocate(&sample); result != 0)
      return refusal("nvmlGpmSampleAlloc", result);
  if (const NvmlResult result = m_api.gpm.sample(m_device, sample); result != 0)
    return refusal("nvmlGpmSampleGet", result);
  return granted();
}

Granted LoadedNvml::beginActivity() {
  if (!m_api.gpm.isComplete())
    return DriverRefusal{RefusalKind::LibraryTooOld,
                         "NVML of this driver does not have `nvmlGpmSampleGet`"};
  GpmSupport support;
  if (const NvmlResult result = m_api.gpm.support(m_device, &support); result != 0)
    return refusal("nvmlGpmQueryDeviceSupport", result);
  if (support.isSupported == 0)
    return DriverRefusal{RefusalKind::DeviceUnsupported,
                         "this device does not count its own activity"};
  return takeSample(m_begin);
}

Grant<std::map<std::string, double>> LoadedNvml::activity() {
  if (!m_begin)
    return DriverRefusal{RefusalKind::Other, "counting was not begun"};
  if (Granted taken = takeSample(m_end); !taken)
    return taken.refusal();
  GpmMetrics request;
  request.first = m_begin;
  request.second = m_end;
  for (const DeviceWideCounter &counter : kDeviceWideCounters)
    request.metrics[request.numMetrics++].id = counter.gpmId;
  if (const NvmlResult result = m_api.gpm.metrics(&request); result != 0)
    return refusal("nvmlGpmMetricsGet", result);
  std::map<std::string, double> values;
  constexpr double kPercent = 0.01;
  for (size_t i = 0; i < kDeviceWideCounters.size(); ++i)
    // What is not a number was not counted.
    if (request.metrics[i].result == 0 && request.metrics[i].value >= 0)
      values[std::string(kDeviceWideCounters[i].name)] = request.metrics[i].value * kPercent;
  return values;
}

template <typename Function>
static void find(const DynamicLibrary &library, const char *name, Function &function) {
  if (!function)
    function = reinterpret_cast<Function>(library.symbol(name));
}

Result<std::unique_ptr<Nvml>> loadNvml() {
  Result<DynamicLibrary> library = DynamicLibrary::open({"libnvidia-ml.so.1", "libnvidia-ml.so"});
  if (!library)
    return Error{ErrorCode::Environment, library.error().message,
                 "NVML comes with NVIDIA's driver; a container needs the capability `utility`"};
  Api api;
  find(*library, "nvmlInit_v2", api.init);
  find(*library, "nvmlErrorString", api.words);
  find(*library, "nvmlDeviceGetHandleByPciBusId_v2", api.byPciBusId);
  find(*library, "nvmlDeviceGetClockInfo", api.clock);
  find(*library, "nvmlDeviceGetMaxClockInfo", api.maxClock);
  find(*library, "nvmlDeviceGetPowerUsage", api.power);
  find(*library, "nvmlDeviceGetEnforcedPowerLimit", api.powerLimit);
  find(*library, "nvmlDeviceGetTemperature", api.temperature);
  find(*library, "nvmlDeviceGetUtilizationRates", api.utilization);
  find(*library, "nvmlDeviceGetMemoryInfo", api.memory);
  find(*library, "nvmlDeviceGetCurrentClocksEventReasons", api.throttle);
  find(*library, "nvmlDeviceGetCurrentClocksThrottleReasons", api.throttle);
  find(*library, "nvmlGpmQueryDeviceSupport", api.gpm.support);
  find(*library, "nvmlGpmSampleAlloc", api.gpm.allocate);
  find(*library, "nvmlGpmSampleFree", api.gpm.release);
  find(*library, "nvmlGpmSampleGet", api.gpm.sample);
  find(*library, "nvmlGpmMetricsGet", api.gpm.metrics);
  if (!api.init || !api.words || !api.byPciBusId)
    return Error{ErrorCode::Environment, "libnvidia-ml lacks the functions of version 2", ""};
  if (const NvmlResult result = api.init(); result != 0)
    return Error{ErrorCode::Environment, "NVML does not start: " + std::string(api.words(result)),
                 ""};
  return std::unique_ptr<Nvml>(std::make_unique<LoadedNvml>(api));
}

} // namespace tilescope::profiler
