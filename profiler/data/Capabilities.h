// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/data/Measurement.h"

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

/// What a machine can run and measure, as its runner says.
namespace tilescope::profiler {

/// A library that the runner looks for at run time.
struct LibraryState {
  /// Its folder; empty: it was not found.
  std::string folder = {};
  /// Why it cannot be used, and what would help; empty: it can.
  std::string fault = {};
  std::string hint = {};
  bool operator==(const LibraryState &) const = default;
};

/// A GPU, and how much it is in use now.
struct DeviceState {
  DeviceInfo info = {};
  /// Part of the last moments in which a kernel ran, in percent.
  std::optional<double> busyPercent = std::nullopt;
  std::optional<double> usedMemoryBytes = std::nullopt;
  std::optional<double> temperatureC = std::nullopt;
  std::optional<double> powerW = std::nullopt;
  bool operator==(const DeviceState &) const = default;
};

struct Capabilities {
  /// The machine's own name.
  std::string host = {};
  /// `Linux 6.1.0 x86_64`.
  std::string system = {};
  int64_t numProcessors = 0;
  /// Runnable threads, on average over a minute.
  std::optional<double> load = std::nullopt;
  /// `570.86.15`; empty: not known.
  std::string driverRelease = {};
  LibraryState driver = {};
  LibraryState cupti = {};
  /// Why hardware counters cannot be used, as far as that is known without trying.
  std::optional<Refusal> counters = std::nullopt;
  std::vector<DeviceState> devices = {};
  bool operator==(const Capabilities &) const = default;
};

nlohmann::json capabilitiesToJson(const Capabilities &capabilities);
/// Throws an exception of the standard library or of nlohmann-json when the object is none.
Capabilities capabilitiesFromJson(const nlohmann::json &object);

/// A few lines for people: the machine, its driver, CUPTI, whether counters are allowed, its GPUs.
std::string capabilitiesText(const Capabilities &capabilities);
/// The same in one line: GPUs, driver, whether counters are allowed, load.
std::string capabilitiesLine(const Capabilities &capabilities);

} // namespace tilescope::profiler
