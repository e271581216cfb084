# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Group normalization followed by SiLU on images stored channels first, one program for each group of an image."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "group_norm_silu"
# grid = ["batch * groups"]
# [sizes]
# batch = 32
# groups = 32
# channels = 512
# pixels = 4096
# [args]
# x_ptr = { dtype = "fp16", shape = ["batch", "channels", "pixels"], init = "randn", seed = 0 }
# weight_ptr = { dtype = "fp16", shape = ["channels"], init = "randn", seed = 1 }
# bias_ptr = { dtype = "fp16", shape = ["channels"], init = "randn", seed = 2 }
# out_ptr = { dtype = "fp16", shape = ["batch", "channels", "pixels"] }
# eps = 1e-5
# [constexprs]
# GROUP = "channels//groups"
# BLOCK = 1024
# [options]
# num_warps = 8
# [work]
# bytes = "4 * batch * channels * pixels"
# ///


@triton.jit
def group_norm_silu(
    x_ptr, weight_ptr, bias_ptr, out_ptr, groups, pixels, eps, GROUP: tl.constexpr, BLOCK: tl.constexpr
):
    program = tl.program_id(0)
    group = program % groups
    base = program.to(tl.int64) * GROUP * pixels
    count = GROUP * pixels
    total = tl.zeros([BLOCK], dtype=tl.float32)
    squares = tl.zeros([BLOCK], dtype=tl.float32)
    for start in range(0, count, BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + base + offsets, mask=offsets < count, other=0.0).to(tl.float32)
        total += x
        squares += x * x
    mean = tl.sum(total) / count
    rstd = tl.rsqrt(tl.sum(squares) / count - mean * mean + eps)
    for channel in range(GROUP):
        weight = tl.load(weight_ptr + group * GROUP + channel).to(tl.float32) * rstd
        bias = tl.load(bias_ptr + group * GROUP + channel).to(tl.float32) - mean * weight
        for start in range(0, pixels, BLOCK):
            offsets = start + tl.arange(0, BLOCK)
            inside = offsets < pixels
            x = tl.load(x_ptr + base + channel * pixels + offsets, mask=inside, other=0.0).to(tl.float32)
            y = x * weight + bias
            tl.store(out_ptr + base + channel * pixels + offsets, (y * tl.sigmoid(y)).to(tl.float16), mask=inside)
