// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace tilescope::compiler {

/// What code can be made for: a GPU generation, or a processor.
struct TargetSpec {
  /// Compute capability times ten: 80, 86, 89, 90, 100, 120. For a processor, what kernels are told
  /// that ask for it.
  int capability = 90;
  /// `cpu:native`, …: a row of `kCpuTargets`; empty: a GPU.
  std::string cpu = {};
  bool operator==(const TargetSpec &) const = default;

  bool isCpu() const { return !cpu.empty(); }
  /// `cuda:90`, `cpu:native`.
  std::string name() const;
  /// The name LLVM and the assembler use of a GPU. From 90 on it is the variant with the generation's own
  /// instructions: `sm_80`, `sm_90a`, `sm_120a`.
  std::string processor() const;
  /// The first PTX version that has every instruction written for the processor, times ten: 70 for
  /// 80, 81 for 90, ….
  int minimumPtxVersion() const;
  /// The shared memory that one block may ask for.
  int64_t maxSharedBytes() const;
};

/// Reads `cuda:90`, `cpu:native`, or `cpu`, which is the same. Unknown targets are an error that lists the known ones.
Result<TargetSpec> parseTarget(std::string_view text);

/// The PTX version to emit for an assembler of the given release: the newest that both it and LLVM
/// know; with release 0 (no assembler here) the oldest that fits, so that any driver can load it.
int choosePtxVersion(const TargetSpec &target, int assemblerMajor, int assemblerMinor);

} // namespace tilescope::compiler
