# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""A kernel that calls a function: that of the pictures in the guide to step mode."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "scale"
# grid = ["cdiv(n, BLOCK)"]
# [sizes]
# n = 50
# [args]
# x_ptr   = { dtype = "fp32", shape = ["n"], init = "arange" }
# out_ptr = { dtype = "fp32", shape = ["n"], expected = "x_ptr * 2 + 1" }
# [constexprs]
# BLOCK = "16"
# ///


@triton.jit
def scaled(x, k):
    y = x * k
    return y + 1


@triton.jit
def scale(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    x = tl.load(x_ptr + offs, mask=mask, other=0.0)
    z = scaled(x, 2.0)
    tl.store(out_ptr + offs, z, mask=mask)
