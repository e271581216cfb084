# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Convolution with nine loops over the channels, one per tap."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "conv2d"
# grid = [8, 1]
# [args]
# x_ptr = { dtype = "fp16", shape = [1, 32, 32, 64] }
# w_ptr = { dtype = "fp16", shape = [128, 3, 3, 64] }
# y_ptr = { dtype = "fp16", shape = [1024, 128] }
# C = "64"
# H = "32"
# W = "32"
# F = "128"
# OH = "32"
# OW = "32"
# P = "1024"
# [constexprs]
# KH = "3"
# KW = "3"
# BLOCK_P = "128"
# BLOCK_F = "128"
# BLOCK_C = "32"
# [options]
# num_warps = 4
# num_stages = 3
# ///


@triton.jit
def conv2d(x_ptr, w_ptr, y_ptr, C, H, W, F, OH, OW, P,
           KH: tl.constexpr, KW: tl.constexpr, BLOCK_P: tl.constexpr, BLOCK_F: tl.constexpr, BLOCK_C: tl.constexpr):
    at = tl.program_id(0) * BLOCK_P + tl.arange(0, BLOCK_P)
    n = at // (OH * OW)
    oh = at // OW % OH
    ow = at % OW
    f = tl.program_id(1) * BLOCK_F + tl.arange(0, BLOCK_F)
    acc = tl.zeros([BLOCK_P, BLOCK_F], tl.float32)
    for kh in tl.static_range(KH):
        for kw in tl.static_range(KW):
            ih = oh + kh - KH // 2
            iw = ow + kw - KW // 2
            inside = (at < P) & (ih >= 0) & (ih < H) & (iw >= 0) & (iw < W)
            for start in range(0, C, BLOCK_C):
                c = start + tl.arange(0, BLOCK_C)
                x = tl.load(x_ptr + ((n * H + ih) * W + iw)[:, None] * C + c[None, :],
                            mask=inside[:, None] & (c[None, :] < C), other=0.0)
                w = tl.load(w_ptr + ((f[None, :] * KH + kh) * KW + kw) * C + c[:, None],
                            mask=(f[None, :] < F) & (c[:, None] < C), other=0.0)
                acc = tl.dot(x, w, acc)
    tl.store(y_ptr + at[:, None] * F + f[None, :], acc.to(tl.float16), mask=(at[:, None] < P) & (f[None, :] < F))
