// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What the assembly of a processor consists of, as the stage `asm` has it:
//
//     vaddps  zmm0, zmm1, zmm2                 on vectors of 64 bytes
//     vaddss  xmm0, xmm1, xmm2                 on one element
//     vgatherdps zmm0 {k1}, [rax + 4*zmm1]     a gather, on vectors
//     call    powf                             a call
#pragma once

#include "compiler/artifacts/Stage.h"

#include <string_view>
#include <vector>

namespace tilescope::compiler::machine {

/// Instructions of a piece of assembly, each counted once, however often it is executed.
struct CpuCodeCounts {
  int instructions = 0;
  /// Those of `instructions` that compute, load or store several elements.
  int onVectors = 0;
  /// Those of `onVectors` whose lanes have an address each.
  int gathers = 0, scatters = 0;
  /// Calls of functions, of the C library for example.
  int calls = 0;
  bool operator==(const CpuCodeCounts &) const = default;
};

/// The instructions that a line of the source became.
struct CpuLineCode {
  SourceRange place;
  CpuCodeCounts counts;
};

struct CpuCode {
  CpuCodeCounts total;
  /// Of the widest vectors; 0 where there are none.
  unsigned vectorBytes = 0;
  /// In the order of the source. What an inlined call became counts for the line of the call.
  std::vector<CpuLineCode> lines;
};

/// Of x86-64 in Intel's syntax, or of AArch64. `map`: where the assembly's lines came from.
/// `scalableBytes`: of the vectors of SVE, whose names do not tell.
CpuCode cpuCode(std::string_view assembly, const SourceMap &map, unsigned scalableBytes = 0);

} // namespace tilescope::compiler::machine
