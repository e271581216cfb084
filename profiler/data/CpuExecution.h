// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <cstdint>
#include <string>

namespace tilescope::profiler {

/// What executed a launch on the CPU, and what it took beside the time of the run.
struct CpuExecution {
  /// Machine code; else the interpreter.
  bool isNative = false;
  /// Of machine code: its accesses are checked.
  bool isChecked = false;
  /// Of machine code: to compile it, or to find it among what was compiled before. In microseconds.
  double compileUs = 0;
  /// Of machine code: programs that the interpreter has executed before, the first of the grid and
  /// maybe the last, and what that took.
  int64_t interpretedPrograms = 0;
  double interpretedUs = 0;
  /// Why the interpreter executed the programs although machine code was wanted: a clause such as "the
  /// kernel prints". Empty: it was not, or it executed them.
  std::string whyInterpreted = {};
  bool operator==(const CpuExecution &) const = default;
};

/// The times beside that of the run, "compiled in 24.1 ms; the first program took 0.019 ms in the
/// interpreter"; empty for the interpreter.
std::string timesText(const CpuExecution &execution);

} // namespace tilescope::profiler
