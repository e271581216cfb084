# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Inverse of a triangular block of 64 x 64 in 63 unrolled steps."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "solve_triangular"
# grid = [4]
# [args]
# a_ptr = { dtype = "fp32", shape = [4, 64, 64] }
# y_ptr = { dtype = "fp32", shape = [4, 64, 64] }
# [constexprs]
# BT = "64"
# [options]
# num_warps = 4
# num_stages = 2
# ///


@triton.jit
def solve_triangular(a_ptr, y_ptr, BT: tl.constexpr):
    """The inverse of a lower triangular matrix of ones on the diagonal, row by row."""
    i = tl.arange(0, BT)
    base = tl.program_id(0) * BT * BT
    a = -tl.load(a_ptr + base + i[:, None] * BT + i[None, :])
    a = tl.where(i[:, None] > i[None, :], a, 0.0)
    for row in tl.static_range(1, BT):
        mask = i == row
        this = tl.sum(tl.where(mask[:, None], a, 0.0), 0)
        this = this + tl.sum(this[:, None] * a, 0) * (i < row)
        a = tl.where(mask[:, None], this[None, :], a)
    a += i[:, None] == i[None, :]
    tl.store(y_ptr + base + i[:, None] * BT + i[None, :], a)
