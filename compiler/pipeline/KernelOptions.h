// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/target/TargetSpec.h"

#include <map>
#include <string>
#include <vector>

namespace tilescope::compiler {

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
  bool operator==(const KernelOptions &) const = default;
};

/// Reads a selection's options. Unknown names are left to the frontend, which names the known ones.
Result<KernelOptions> parseKernelOptions(const std::map<std::string, std::string> &options,
                                         const TargetSpec &target);

} // namespace tilescope::compiler
