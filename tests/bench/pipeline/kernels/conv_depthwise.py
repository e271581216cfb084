# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Convolution of each channel with 7 x 7 taps, unrolled."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "conv_depthwise"
# grid = [2, 1, 4]
# [args]
# x_ptr = { dtype = "fp16", shape = [4, 64, 64] }
# w_ptr = { dtype = "fp32", shape = [4, 7, 7] }
# y_ptr = { dtype = "fp16", shape = [4, 64, 64] }
# H = "64"
# W = "64"
# [constexprs]
# KH = "7"
# KW = "7"
# BH = "32"
# BW = "64"
# [options]
# num_warps = 4
# num_stages = 2
# ///


@triton.jit
def conv_depthwise(x_ptr, w_ptr, y_ptr, H, W, KH: tl.constexpr, KW: tl.constexpr, BH: tl.constexpr, BW: tl.constexpr):
    h = tl.program_id(0) * BH + tl.arange(0, BH)
    w = tl.program_id(1) * BW + tl.arange(0, BW)
    c = tl.program_id(2)
    acc = tl.zeros([BH, BW], tl.float32)
    for kh in tl.static_range(KH):
        for kw in tl.static_range(KW):
            ih = h + kh - KH // 2
            iw = w + kw - KW // 2
            mask = ((ih >= 0) & (ih < H))[:, None] & ((iw >= 0) & (iw < W))[None, :]
            x = tl.load(x_ptr + (c * H + ih[:, None]) * W + iw[None, :], mask=mask, other=0.0)
            acc += x.to(tl.float32) * tl.load(w_ptr + (c * KH + kh) * KW + kw)
    tl.store(y_ptr + (c * H + h[:, None]) * W + w[None, :], acc.to(tl.float16), mask=(h[:, None] < H) & (w[None, :] < W))
