// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/driver/Grant.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What decides whether a process may use hardware counters, and who else uses them.
namespace tilescope::profiler {

struct CounterSurroundings {
  /// The driver's `RmProfilingAdminOnly`; nothing where it does not say.
  std::optional<bool> adminOnly;
  bool hasSysAdmin = false;
  bool hasPerfmon = false;
  bool isContainer = false;
  /// Running programs that are known to hold counters: `nv-hostengine`.
  std::vector<std::string> holders;
};

/// Reads them from /proc.
CounterSurroundings readSurroundings();

/// `RmProfilingAdminOnly: 1` of /proc/driver/nvidia/params.
std::optional<bool> parseAdminOnly(std::string_view params);
/// The effective capabilities of /proc/self/status, as bits.
uint64_t parseCapabilities(std::string_view status);
/// Whether a program, by its name in /proc/PID/comm, holds counters when it profiles.
bool holdsCounters(std::string_view program);
/// The names of running programs that may hold counters, of the processes in a folder like /proc.
/// `family` and its descendants are left out: the driver, too, starts programs in their name.
std::vector<std::string> counterHolders(const std::filesystem::path &processes, int family);

/// What the user is told of a refusal: why, and which setting or tool has to change.
Refusal explainRefusal(ProfileRung rung, const DriverRefusal &refusal,
                       const CounterSurroundings &surroundings);

} // namespace tilescope::profiler
