# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Dropout, four random numbers at a time, blocks of 8192."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "philox_dropout"
# grid = [2]
# [args]
# x_ptr = { dtype = "fp32", shape = [65536] }
# y_ptr = { dtype = "fp32", shape = [65536] }
# n = "65536"
# p = 0.1
# seed = "42"
# [constexprs]
# BLOCK = "8192"
# [options]
# num_warps = 4
# num_stages = 2
# ///


@triton.jit
def philox_dropout(x_ptr, y_ptr, n, p, seed, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK * 4 + tl.arange(0, BLOCK)
    r0, r1, r2, r3 = tl.rand4x(seed, at)
    for i in tl.static_range(4):
        r = r0 if i == 0 else r1 if i == 1 else r2 if i == 2 else r3
        x = tl.load(x_ptr + at + i * BLOCK, mask=at + i * BLOCK < n)
        tl.store(y_ptr + at + i * BLOCK, tl.where(r > p, x / (1 - p), 0.0), mask=at + i * BLOCK < n)
