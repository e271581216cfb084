# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""One step of heat flow on a grid: a five-point stencil in fp32 with fixed edges."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "stencil_5_point"
# grid = ["cdiv(height, BLOCK_H)", "cdiv(width, BLOCK_W)"]
# [sizes]
# height = 8192
# width = 8192
# [args]
# x_ptr = { dtype = "fp32", shape = ["height", "width"], init = "randn", seed = 0 }
# out_ptr = { dtype = "fp32", shape = ["height", "width"] }
# rate = 0.2
# [constexprs]
# BLOCK_H = 8
# BLOCK_W = 256
# [options]
# num_warps = 4
# [work]
# bytes = "8 * height * width"
# ///


@triton.jit
def stencil_5_point(x_ptr, out_ptr, height, width, rate, BLOCK_H: tl.constexpr, BLOCK_W: tl.constexpr):
    y = (tl.program_id(0) * BLOCK_H + tl.arange(0, BLOCK_H))[:, None]
    x = (tl.program_id(1) * BLOCK_W + tl.arange(0, BLOCK_W))[None, :]
    inside = (y < height) & (x < width)
    inner = (y > 0) & (y < height - 1) & (x > 0) & (x < width - 1)
    here = x_ptr + y * width + x
    middle = tl.load(here, mask=inside, other=0.0)
    up = tl.load(here - width, mask=inner, other=0.0)
    down = tl.load(here + width, mask=inner, other=0.0)
    left = tl.load(here - 1, mask=inner, other=0.0)
    right = tl.load(here + 1, mask=inner, other=0.0)
    result = tl.where(inner, middle + rate * (up + down + left + right - 4.0 * middle), middle)
    tl.store(out_ptr + y * width + x, result, mask=inside)
