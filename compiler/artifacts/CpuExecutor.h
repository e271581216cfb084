// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <cstdint>

namespace tilescope::compiler {

/// What shall execute a launch on the CPU.
enum class CpuExecutor : uint8_t {
  /// Machine code where the target is `cpu:native`, else the interpreter.
  OfTarget,
  Interpreter,
  /// Checked machine code as long as there is nothing to find, else the interpreter: whatever is
  /// said of the run is what the interpreter says.
  Native,
};

} // namespace tilescope::compiler
