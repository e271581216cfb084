// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"
#include "profiler/data/Measurement.h"

#include <optional>
#include <string>

namespace tilescope::app {

/// Where a launch runs.
struct RunPlace {
  enum class Kind { Cpu, Cuda, Ssh };
  Kind kind = Kind::Cpu;
  int device = 0;
  /// `[user@]host` for Ssh.
  std::string host = {};
  bool operator==(const RunPlace &) const = default;
};

/// Reads `cpu`, `cuda`, `cuda:N`, `ssh://[user@]host[/N]`; empty: the GPU of this machine, or the
/// CPU. `timeLimit` as for `targetAt`.
Result<RunPlace> parseRunPlace(const std::string &text,
                               std::optional<double> timeLimit = std::nullopt);
/// The same the other way round.
std::string runPlaceText(const RunPlace &place);

/// The target that compiles for a device, e.g. `cuda:90`; empty when it is not supported.
std::string targetOf(const profiler::DeviceInfo &device);
/// The target of the device that a place stands for; empty for the CPU, and without a device that
/// is supported. The error is about reaching another machine. `timeLimit`: seconds that its runner
/// may take to answer; nothing: the usual time.
Result<std::string> targetAt(const RunPlace &place, std::optional<double> timeLimit = std::nullopt);

/// The GPU that `--on` of a command asks for, which measures only where it is told to; nothing
/// without it. The error also says that the CPU measures nothing.
Result<std::optional<RunPlace>> parseMeasurePlace(const std::string &where);

/// Why nothing can be measured where the CPU was meant by `where`: as it was asked for, or since there
/// is no GPU. `verb`: what cannot be done, `profile`.
Error withoutGpu(const std::string &where, const std::string &verb);

} // namespace tilescope::app
