# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Attention backward, first kernel: the product of output and its gradient, summed over each head's dimensions."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "attention_bwd_delta"
# grid = ["cdiv(rows, BLOCK_M)"]
# [sizes]
# rows = 524288
# [args]
# out_ptr = { dtype = "fp16", shape = ["rows", 128], init = "randn", seed = 0 }
# dout_ptr = { dtype = "fp16", shape = ["rows", 128], init = "randn", seed = 1 }
# delta_ptr = { dtype = "fp32", shape = ["rows"] }
# [constexprs]
# BLOCK_M = 64
# DIM = 128
# [options]
# num_warps = 4
# [work]
# bytes = "4 * rows * 128"
# ///


@triton.jit
def attention_bwd_delta(out_ptr, dout_ptr, delta_ptr, rows, BLOCK_M: tl.constexpr, DIM: tl.constexpr):
    row = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    offsets = row[:, None] * DIM + tl.arange(0, DIM)[None, :]
    out = tl.load(out_ptr + offsets, mask=row[:, None] < rows, other=0.0).to(tl.float32)
    dout = tl.load(dout_ptr + offsets, mask=row[:, None] < rows, other=0.0).to(tl.float32)
    tl.store(delta_ptr + row, tl.sum(out * dout, axis=1), mask=row < rows)
