# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""3 x 3 convolution of channels-last fp16 images as a product whose left factor is gathered on the way."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "conv2d_implicit_gemm"
# grid = ["cdiv(batch * size * size, BLOCK_M)", "cdiv(filters, BLOCK_N)"]
# [sizes]
# batch = 32
# size = 64
# channels = 256
# filters = 256
# [args]
# x_ptr = { dtype = "fp16", shape = ["batch", "size", "size", "channels"], init = "randn", seed = 0 }
# weight_ptr = { dtype = "fp16", shape = [9, "channels", "filters"], init = "randn", seed = 1, scale = 0.02 }
# out_ptr = { dtype = "fp16", shape = ["batch", "size", "size", "filters"] }
# [constexprs]
# BLOCK_M = 128
# BLOCK_N = 128
# BLOCK_K = 32
# [options]
# num_warps = 8
# num_stages = 3
# [work]
# flops = "18 * batch * size * size * channels * filters"
# ///


@triton.jit
def conv2d_implicit_gemm(
    x_ptr, weight_ptr, out_ptr, batch, size, channels, filters,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
):
    pixels = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    image = pixels // (size * size)
    y = pixels // size % size
    x = pixels % size
    inside = pixels < batch * size * size
    inner = tl.arange(0, BLOCK_K)
    steps = tl.cdiv(channels, BLOCK_K)
    accumulator = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for step in range(0, 9 * steps):
        tap = step // steps
        channel = step % steps * BLOCK_K + inner
        sy = y + tap // 3 - 1
        sx = x + tap % 3 - 1
        there = inside & (sy >= 0) & (sy < size) & (sx >= 0) & (sx < size)
        source = ((image * size + sy) * size + sx) * channels
        a = tl.load(x_ptr + source[:, None] + channel[None, :],
                    mask=there[:, None] & (channel[None, :] < channels), other=0.0)
        b = tl.load(weight_ptr + (tap * channels + channel)[:, None] * filters + columns[None, :],
                    mask=(channel[:, None] < channels) & (columns[None, :] < filters), other=0.0)
        accumulator = tl.dot(a, b, accumulator)
    mask = inside[:, None] & (columns[None, :] < filters)
    tl.store(out_ptr + pixels[:, None] * filters + columns[None, :], accumulator.to(tl.float16), mask=mask)
