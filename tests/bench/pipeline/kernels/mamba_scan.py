# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Selective scan, one chunk of states at a time."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "mamba_scan"
# grid = [16]
# [args]
# x_ptr = { dtype = "fp16", shape = [256, 256] }
# dt_ptr = { dtype = "fp16", shape = [256, 256] }
# a_ptr = { dtype = "fp32", shape = [256, 16] }
# b_ptr = { dtype = "fp16", shape = [256, 16] }
# c_ptr = { dtype = "fp16", shape = [256, 16] }
# y_ptr = { dtype = "fp16", shape = [256, 256] }
# state_ptr = { dtype = "fp32", shape = [256, 16] }
# n = "256"
# [constexprs]
# CHUNK = "32"
# N = "16"
# D = "16"
# [options]
# num_warps = 4
# num_stages = 2
# ///


@triton.jit
def combine(a1, b1, a2, b2):
    return a1 * a2, b1 * a2 + b2


@triton.jit
def mamba_scan(x_ptr, dt_ptr, a_ptr, b_ptr, c_ptr, y_ptr, state_ptr, n,
               CHUNK: tl.constexpr, N: tl.constexpr, D: tl.constexpr):
    """Each step of a chunk: h = exp(dt a) h + dt b x, y = c h."""
    d = tl.program_id(0) * D + tl.arange(0, D)
    s = tl.arange(0, N)
    a = -tl.exp(tl.load(a_ptr + d[:, None] * N + s[None, :]))
    h = tl.zeros([D, N], tl.float32)
    for start in range(0, n, CHUNK):
        t = start + tl.arange(0, CHUNK)
        x = tl.load(x_ptr + t[:, None] * 256 + d[None, :]).to(tl.float32)
        dt = tl.load(dt_ptr + t[:, None] * 256 + d[None, :]).to(tl.float32)
        dt = tl.where(dt > 20.0, dt, tl.log(1.0 + tl.exp(dt)))
        b = tl.load(b_ptr + t[:, None] * N + s[None, :]).to(tl.float32)
        c = tl.load(c_ptr + t[:, None] * N + s[None, :]).to(tl.float32)
        decay = tl.exp(dt[:, :, None] * a[None, :, :])
        step = (dt * x)[:, :, None] * b[:, None, :]
        grown, states = tl.associative_scan((decay, step), 0, combine)
        states += grown * h[None, :, :]
        y = tl.sum(states * c[:, None, :], 2)
        tl.store(y_ptr + t[:, None] * 256 + d[None, :], y.to(tl.float16))
        final = (tl.arange(0, CHUNK) == CHUNK - 1)[:, None, None]
        h = tl.sum(tl.where(final, states, 0.0), 0)
    tl.store(state_ptr + d[:, None] * N + s[None, :], h)
