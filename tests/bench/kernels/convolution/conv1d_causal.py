# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Causal depthwise convolution over time with four taps and SiLU, channels last."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "conv1d_causal"
# grid = ["batch", "cdiv(length, BLOCK_T)", "cdiv(channels, BLOCK_C)"]
# [sizes]
# batch = 16
# length = 2048
# channels = 4096
# [args]
# x_ptr = { dtype = "bf16", shape = ["batch", "length", "channels"], init = "randn", seed = 0 }
# weight_ptr = { dtype = "bf16", shape = ["channels", 4], init = "randn", seed = 1 }
# bias_ptr = { dtype = "bf16", shape = ["channels"], init = "randn", seed = 2 }
# out_ptr = { dtype = "bf16", shape = ["batch", "length", "channels"] }
# [constexprs]
# BLOCK_T = 16
# BLOCK_C = 128
# TAPS = 4
# [options]
# num_warps = 4
# [work]
# bytes = "4 * batch * length * channels"
# ///


@triton.jit
def conv1d_causal(
    x_ptr, weight_ptr, bias_ptr, out_ptr, length, channels,
    BLOCK_T: tl.constexpr, BLOCK_C: tl.constexpr, TAPS: tl.constexpr,
):
    base = tl.program_id(0) * length * channels
    times = tl.program_id(1) * BLOCK_T + tl.arange(0, BLOCK_T)
    channel = tl.program_id(2) * BLOCK_C + tl.arange(0, BLOCK_C)
    known = channel < channels
    bias = tl.load(bias_ptr + channel, mask=known, other=0.0).to(tl.float32)
    total = tl.zeros((BLOCK_T, BLOCK_C), dtype=tl.float32) + bias[None, :]
    for tap in tl.static_range(TAPS):
        weight = tl.load(weight_ptr + channel * TAPS + tap, mask=known, other=0.0).to(tl.float32)
        source = times + tap - (TAPS - 1)
        mask = (source[:, None] >= 0) & (source[:, None] < length) & known[None, :]
        x = tl.load(x_ptr + base + source[:, None] * channels + channel[None, :], mask=mask, other=0.0)
        total += x.to(tl.float32) * weight[None, :]
    out = total * tl.sigmoid(total)
    mask = (times[:, None] < length) & known[None, :]
    tl.store(out_ptr + base + times[:, None] * channels + channel[None, :], out.to(tl.bfloat16), mask=mask)
