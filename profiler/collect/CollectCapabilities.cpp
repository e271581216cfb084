// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/collect/CollectCapabilities.h"

#include <cctype>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <sys/utsname.h>
#include <thread>

namespace tilescope::profiler {

static std::string readAll(const char *path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string parseDriverRelease(std::string_view version) {
  std::istringstream words{std::string(version.substr(0, version.find('\n')))};
  for (std::string word; words >> word;)
    if (std::isdigit(static_cast<unsigned char>(word[0])) && word.find('.') != std::string::npos)
      return word;
  return {};
}

Capabilities machineCapabilities() {
  Capabilities capabilities;
  utsname names = {};
  if (uname(&names) == 0) {
    capabilities.host = names.nodename;
    capabilities.system = std::string(names.sysname) + " " + names.release + " " + names.machine;
  }
  capabilities.numProcessors = std::thread::hardware_concurrency();
  double load = 0;
  if (getloadavg(&load, 1) == 1)
    capabilities.load = load;
  capabilities.driverRelease = parseDriverRelease(readAll("/proc/driver/nvidia/version"));
  return capabilities;
}

Status addDevices(CudaDriver &driver, Nvml *nvml, Capabilities &capabilities) {
  const Result<int> count = driver.deviceCount();
  if (!count)
    return count.error();
  for (int ordinal = 0; ordinal < *count; ++ordinal) {
    Result<DeviceInfo> info = driver.device(ordinal);
    if (!info)
      return info.error();
    DeviceState state{std::move(*info)};
    if (nvml != nullptr && nvml->open(state.info.pciBusId)) {
      const NvmlUse use = nvml->use();
      const NvmlReading reading = nvml->read();
      state.busyPercent = use.busyPercent;
      state.usedMemoryBytes = use.usedMemoryBytes;
      state.temperatureC = reading.temperatureC;
      state.powerW = reading.powerW;
    }
    capabilities.devices.push_back(std::move(state));
  }
  return {};
}

void addCounters(const CounterSurroundings &surroundings, Capabilities &capabilities) {
  const bool isPrivileged = surroundings.hasSysAdmin || surroundings.hasPerfmon;
  if (surroundings.adminOnly.value_or(false) && !isPrivileged)
    capabilities.counters =
        explainRefusal(ProfileRung::Counters, {RefusalKind::NotPermitted, ""}, surroundings);
  else if (!surroundings.holders.empty())
    capabilities.counters =
        explainRefusal(ProfileRung::Counters, {RefusalKind::Busy, ""}, surroundings);
}

} // namespace tilescope::profiler
