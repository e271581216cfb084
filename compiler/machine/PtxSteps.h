// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/machine/Liveness.h"

#include <string>
#include <string_view>
#include <vector>

namespace tilescope::compiler::machine {

struct PtxRegister {
  /// `%rd7`.
  std::string name;
  int bits = 32;
  bool isPredicate = false;
};

/// What the instructions of the first kernel of a PTX text write and read. Registers with a `%` of
/// their own count; special ones such as `%tid.x`, and those of blocks of inline assembly, do not.
struct PtxSteps {
  std::vector<LivenessStep> steps;
  std::vector<uint32_t> lines;
  std::vector<PtxRegister> registers;
};

PtxSteps readPtxSteps(std::string_view ptx);

} // namespace tilescope::compiler::machine
