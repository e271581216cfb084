// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <array>
#include <string_view>

namespace tilescope::compiler {

/// The target that stands for the processor of this machine: kernels run as its own code.
inline constexpr std::string_view kNativeTarget = "cpu:native";

/// A processor that code can be made for.
struct CpuTarget {
  /// `cpu:x86-64-v3`; behind the colon, LLVM's name for it.
  std::string_view name;
  /// Instruction set and system, as LLVM writes them; empty: those of this machine.
  std::string_view triple;
  /// Of its widest vector registers.
  unsigned vectorBytes = 0;
};

inline constexpr std::array<CpuTarget, 5> kCpuTargets = {{
    {kNativeTarget, "", 0},
    {"cpu:x86-64-v3", "x86_64-unknown-linux-gnu", 32},
    {"cpu:x86-64-v4", "x86_64-unknown-linux-gnu", 64},
    {"cpu:sapphirerapids", "x86_64-unknown-linux-gnu", 64},
    {"cpu:neoverse-v1", "aarch64-unknown-linux-gnu", 32},
}};

constexpr bool isCpuTarget(std::string_view target) { return target.starts_with("cpu:"); }

/// `cpu` is short for the processor of this machine.
constexpr std::string_view fullTargetName(std::string_view target) {
  return target == "cpu" ? kNativeTarget : target;
}

} // namespace tilescope::compiler
