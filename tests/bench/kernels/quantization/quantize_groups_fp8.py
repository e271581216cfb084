# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Quantization of bf16 activations to fp8 with one scale for each group of 128 columns."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "quantize_groups_fp8"
# grid = ["cdiv(groups, ROWS)"]
# [sizes]
# groups = 1048576
# [args]
# x_ptr = { dtype = "bf16", shape = ["groups", 128], init = "randn", seed = 0 }
# out_ptr = { dtype = "fp8e4nv", shape = ["groups", 128] }
# scale_ptr = { dtype = "fp32", shape = ["groups"] }
# [constexprs]
# ROWS = 16
# GROUP = 128
# [options]
# num_warps = 4
# [work]
# bytes = "3 * 128 * groups"
# ///


@triton.jit
def quantize_groups_fp8(x_ptr, out_ptr, scale_ptr, groups, ROWS: tl.constexpr, GROUP: tl.constexpr):
    group = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    mask = group[:, None] < groups
    offsets = group[:, None] * GROUP + tl.arange(0, GROUP)[None, :]
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0).to(tl.float32)
    scale = tl.maximum(tl.max(tl.abs(x), axis=1), 1e-4) / 448.0
    tl.store(out_ptr + offsets, (x / scale[:, None]).to(tl.float8e4nv), mask=mask)
    tl.store(scale_ptr + group, scale, mask=group < groups)
