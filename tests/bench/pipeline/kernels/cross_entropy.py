# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Cross entropy, forward and backward, 32768 columns at a time with eight warps."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "cross_entropy"
# grid = [4]
# [args]
# x_ptr = { dtype = "bf16", shape = [4, 65536] }
# label_ptr = { dtype = "i64", shape = [4] }
# loss_ptr = { dtype = "fp32", shape = [4] }
# dx_ptr = { dtype = "bf16", shape = [4, 65536] }
# stride = "65536"
# n = "65536"
# smoothing = 0.1
# [constexprs]
# BLOCK = "32768"
# [options]
# num_warps = 8
# num_stages = 2
# ///


@triton.jit
def cross_entropy(x_ptr, label_ptr, loss_ptr, dx_ptr, stride, n, smoothing, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    x_ptr += row * stride
    dx_ptr += row * stride
    label = tl.load(label_ptr + row)
    top = float("-inf")
    total = 0.0
    spread = 0.0
    for start in range(0, n, BLOCK):
        at = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + at, mask=at < n, other=float("-inf")).to(tl.float32)
        spread += tl.sum(tl.where(at < n, -smoothing / n * x, 0.0))
        peak = tl.maximum(top, tl.max(x))
        total = total * tl.exp(top - peak) + tl.sum(tl.exp(x - peak))
        top = peak
    for start in range(0, n, BLOCK):
        at = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + at, mask=at < n, other=float("-inf")).to(tl.float32)
        dx = tl.exp(x - top) / total - smoothing / n
        dx = tl.where(at == label, dx - (1 - smoothing), dx)
        tl.store(dx_ptr + at, dx, mask=at < n)
    loss = top + tl.log(total) - tl.load(x_ptr + label).to(tl.float32)
    tl.store(loss_ptr + row, loss * (1 - smoothing) + spread)
