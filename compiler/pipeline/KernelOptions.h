// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/target/TargetSpec.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tilescope::compiler {

/// Clock reads in the code: which operations, and which programs and warps record.
struct TraceOptions {
  /// `load`, `copy`, …; empty: all.
  std::vector<std::string> kinds;
  /// By their place in the grid, x fastest.
  std::vector<int64_t> programs = {0};
  /// Of each program; empty: all.
  std::vector<int32_t> warps;
  /// Records that a warp keeps: a power of two.
  int32_t records = 1024;
  bool operator==(const TraceOptions &) const = default;
};

/// The options of a launch that shape the code, in Triton's names and with its defaults.
struct KernelOptions {
  TargetSpec target;
  /// `num_warps`: a power of two.
  int numWarps = 4;
  /// `num_stages`: how many iterations of a loop may have loads in flight.
  int numStages = 3;
  /// `num_ctas`: blocks per cluster.
  int numCtas = 1;
  /// `maxnreg`: upper limit of registers per thread; 0: none.
  int maxRegisters = 0;
  /// `enable_fp_fusion`.
  bool fpFusion = true;
  /// `enable_reflect_ftz`.
  bool flushDenormalsInLibdevice = true;
  /// `shared`, `global_scratch_size`: what a document in LLVM IR or PTX needs beyond what its text
  /// says, in bytes.
  int64_t sharedBytes = 0;
  int64_t globalScratchBytes = 0;
  /// `ptx_options`, split at spaces.
  std::vector<std::string> assemblerOptions;
  /// `triton_version`: the release whose notation IR is printed in; empty: what the oldest reads.
  std::string tritonVersion;
  /// `trace`, `trace_programs`, `trace_warps`, `trace_records`: for a kernel that is traced.
  std::optional<TraceOptions> trace;
  bool operator==(const KernelOptions &) const = default;
};

/// Reads a selection's options. Unknown names are left to the frontend, which names the known ones.
Result<KernelOptions> parseKernelOptions(const std::map<std::string, std::string> &options,
                                         const TargetSpec &target);

} // namespace tilescope::compiler
