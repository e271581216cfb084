# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Decoding, second kernel: partial results of the parts are weighted by their log-sum-exp and added up."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "flash_decoding_combine"
# grid = ["rows"]
# [sizes]
# rows = 32768
# splits = 16
# [args]
# partial_ptr = { dtype = "fp32", shape = ["rows", "splits", 128], init = "randn", seed = 0 }
# lse_ptr = { dtype = "fp32", shape = ["rows", "splits"], init = "randn", seed = 1 }
# out_ptr = { dtype = "bf16", shape = ["rows", 128] }
# [constexprs]
# SPLITS = "splits"
# DIM = 128
# [options]
# num_warps = 4
# [work]
# bytes = "4 * rows * splits * 128"
# ///


@triton.jit
def flash_decoding_combine(partial_ptr, lse_ptr, out_ptr, SPLITS: tl.constexpr, DIM: tl.constexpr):
    row = tl.program_id(0)
    dims = tl.arange(0, DIM)
    peak = -float("inf")
    total = 0.0
    accumulator = tl.zeros([DIM], dtype=tl.float32)
    for split in range(SPLITS):
        lse = tl.load(lse_ptr + row * SPLITS + split)
        value = tl.load(partial_ptr + (row * SPLITS + split) * DIM + dims)
        new_peak = tl.maximum(peak, lse)
        alpha = tl.exp(peak - new_peak)
        weight = tl.exp(lse - new_peak)
        accumulator = accumulator * alpha + weight * value
        total = total * alpha + weight
        peak = new_peak
    tl.store(out_ptr + row * DIM + dims, (accumulator / total).to(tl.bfloat16))
