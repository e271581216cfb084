# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Selective state-space scan over one chunk: states of 16 numbers for each channel, gated and added up by C."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "selective_scan_chunk"
# grid = ["batch", "channels // BLOCK_D"]
# [sizes]
# batch = 16
# length = 1024
# channels = 2048
# [args]
# x_ptr = { dtype = "fp16", shape = ["batch", "length", "channels"], init = "randn", seed = 0 }
# delta_ptr = { dtype = "fp16", shape = ["batch", "length", "channels"], init = "rand", seed = 1, high = 0.1 }
# a_ptr = { dtype = "fp32", shape = ["channels", 16], init = "rand", seed = 2, low = -2.0, high = -0.5 }
# b_ptr = { dtype = "fp16", shape = ["batch", "length", 16], init = "randn", seed = 3 }
# c_ptr = { dtype = "fp16", shape = ["batch", "length", 16], init = "randn", seed = 4 }
# out_ptr = { dtype = "fp16", shape = ["batch", "length", "channels"] }
# [constexprs]
# BLOCK_T = 32
# BLOCK_D = 16
# STATES = 16
# [options]
# num_warps = 4
# [work]
# bytes = "6 * batch * length * channels"
# ///


@triton.jit
def compose(a_left, x_left, a_right, x_right):
    return a_left * a_right, a_right * x_left + x_right


@triton.jit
def selective_scan_chunk(
    x_ptr, delta_ptr, a_ptr, b_ptr, c_ptr, out_ptr, length, channels,
    BLOCK_T: tl.constexpr, BLOCK_D: tl.constexpr, STATES: tl.constexpr,
):
    batch = tl.program_id(0)
    channel = tl.program_id(1) * BLOCK_D + tl.arange(0, BLOCK_D)
    states = tl.arange(0, STATES)
    times = tl.arange(0, BLOCK_T)
    a = tl.load(a_ptr + channel[:, None] * STATES + states[None, :])
    h = tl.zeros([BLOCK_D, STATES], dtype=tl.float32)
    for start in range(0, length, BLOCK_T):
        time = batch * length + start + times
        places = time[:, None] * channels + channel[None, :]
        x = tl.load(x_ptr + places).to(tl.float32)
        delta = tl.load(delta_ptr + places).to(tl.float32)
        b = tl.load(b_ptr + time[:, None] * STATES + states[None, :]).to(tl.float32)
        c = tl.load(c_ptr + time[:, None] * STATES + states[None, :]).to(tl.float32)
        decay = tl.exp(delta[:, :, None] * a[None, :, :])
        update = (delta * x)[:, :, None] * b[:, None, :]
        decay, update = tl.associative_scan((decay, update), 0, compose)
        all_h = decay * h[None, :, :] + update
        out = tl.sum(all_h * c[:, None, :], axis=2)
        tl.store(out_ptr + places, out.to(tl.float16))
        h = tl.sum(tl.where(times[:, None, None] == BLOCK_T - 1, all_h, 0.0), axis=0)
