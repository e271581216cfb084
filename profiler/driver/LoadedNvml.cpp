// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
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
};

constexpr int kSmClock = 1, kMemoryClock = 2, kGpuSensor = 0;

class LoadedNvml : public Nvml {
public:
  explicit LoadedNvml(const Api &api) : m_api(api) {}

  Status open(const std::string &pciBusId) override;
  NvmlReading read() override;
  NvmlLimits limits() override;
  NvmlUse use() override;

private:
  Api m_api;
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
  if (!api.init || !api.words || !api.byPciBusId)
    return Error{ErrorCode::Environment, "libnvidia-ml lacks the functions of version 2", ""};
  if (const NvmlResult result = api.init(); result != 0)
    return Error{ErrorCode::Environment, "NVML does not start: " + std::string(api.words(result)),
                 ""};
  return std::unique_ptr<Nvml>(std::make_unique<LoadedNvml>(api));
}

} // namespace tilescope::profiler
