# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Depthwise 3 x 3 convolution of images stored channels first, with bounds checked at every tap."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "conv2d_depthwise"
# grid = ["batch * channels", "cdiv(size, BLOCK_H)", "cdiv(size, BLOCK_W)"]
# [sizes]
# batch = 16
# channels = 512
# size = 112
# [args]
# x_ptr = { dtype = "fp16", shape = ["batch", "channels", "size", "size"], init = "randn", seed = 0 }
# weight_ptr = { dtype = "fp16", shape = ["channels", 9], init = "randn", seed = 1 }
# out_ptr = { dtype = "fp16", shape = ["batch", "channels", "size", "size"] }
# [constexprs]
# BLOCK_H = 16
# BLOCK_W = 64
# [options]
# num_warps = 4
# [work]
# bytes = "4 * batch * channels * size * size"
# ///


@triton.jit
def conv2d_depthwise(
    x_ptr, weight_ptr, out_ptr, channels, size, BLOCK_H: tl.constexpr, BLOCK_W: tl.constexpr
):
    plane = tl.program_id(0)
    base = plane * size * size
    y = tl.program_id(1) * BLOCK_H + tl.arange(0, BLOCK_H)
    x = tl.program_id(2) * BLOCK_W + tl.arange(0, BLOCK_W)
    total = tl.zeros((BLOCK_H, BLOCK_W), dtype=tl.float32)
    for tap in tl.static_range(9):
        weight = tl.load(weight_ptr + plane % channels * 9 + tap).to(tl.float32)
        sy = (y + tap // 3 - 1)[:, None]
        sx = (x + tap % 3 - 1)[None, :]
        mask = (sy >= 0) & (sy < size) & (sx >= 0) & (sx < size)
        total += weight * tl.load(x_ptr + base + sy * size + sx, mask=mask, other=0.0).to(tl.float32)
    mask = (y[:, None] < size) & (x[None, :] < size)
    tl.store(out_ptr + base + y[:, None] * size + x[None, :], total.to(tl.float16), mask=mask)
