// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/artifacts/LaunchOptions.h"

#include <algorithm>

namespace tilescope::compiler {

static constexpr std::string_view kLaunchOptions[] = {
    "allow_flush_denorm",
    "allowed_dot_input_precisions",
    "arch",
    "clc",
    "cluster_dims",
    "debug",
    "default_dot_input_precision",
    "deprecated_fp8_dot_operand_dtypes",
    "enable_fp_fusion",
    "enable_reflect_ftz",
    "enable_warp_specialization",
    "extern_libs",
    "global_scratch_size",
    "instrumentation_mode",
    "ir_override",
    "kpack",
    "launch_cooperative_grid",
    "launch_pdl",
    "matrix_instr_nonkdim",
    "max_num_imprecise_acc_default",
    "maxnreg",
    "min_shared_mem",
    "num_buffers_warp_spec",
    "num_consumer_groups",
    "num_ctas",
    "num_stages",
    "num_warps",
    "ptx_options",
    "ptx_version",
    "reg_dec_producer",
    "reg_inc_consumer",
    "sanitize_overflow",
    "schedule_hint",
    "shared",
    "supported_fp8_dtypes",
    "trace",
    "trace_programs",
    "trace_records",
    "trace_warps",
    "triton_version",
    "warp_size",
    "waves_per_eu",
};

std::span<const std::string_view> launchOptions() { return kLaunchOptions; }

bool isLaunchOption(std::string_view name) {
  return std::ranges::binary_search(kLaunchOptions, name);
}

} // namespace tilescope::compiler
