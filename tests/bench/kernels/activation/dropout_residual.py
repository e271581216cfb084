# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Dropout with Philox numbers plus a residual, on fp16; four random numbers come from each counter."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "dropout_residual"
# grid = ["cdiv(n, 4 * BLOCK)"]
# [sizes]
# n = 67108864
# [args]
# x_ptr = { dtype = "fp16", shape = ["n"], init = "randn", seed = 0 }
# residual_ptr = { dtype = "fp16", shape = ["n"], init = "randn", seed = 1 }
# out_ptr = { dtype = "fp16", shape = ["n"] }
# p = 0.25
# seed = 1234
# [constexprs]
# BLOCK = 512
# [options]
# num_warps = 4
# [work]
# bytes = "6 * n"
# ///


@triton.jit
def part(x_ptr, residual_ptr, out_ptr, offsets, n, random, p):
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0).to(tl.float32)
    residual = tl.load(residual_ptr + offsets, mask=mask, other=0.0).to(tl.float32)
    out = tl.where(random > p, x / (1.0 - p), 0.0) + residual
    tl.store(out_ptr + offsets, out.to(tl.float16), mask=mask)


@triton.jit
def dropout_residual(x_ptr, residual_ptr, out_ptr, n, p, seed, BLOCK: tl.constexpr):
    first = tl.program_id(0) * BLOCK * 4
    lanes = tl.arange(0, BLOCK)
    r0, r1, r2, r3 = tl.rand4x(seed, tl.program_id(0) * BLOCK + lanes)
    part(x_ptr, residual_ptr, out_ptr, first + lanes, n, r0, p)
    part(x_ptr, residual_ptr, out_ptr, first + BLOCK + lanes, n, r1, p)
    part(x_ptr, residual_ptr, out_ptr, first + 2 * BLOCK + lanes, n, r2, p)
    part(x_ptr, residual_ptr, out_ptr, first + 3 * BLOCK + lanes, n, r3, p)
