# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""GEGLU forward on fp16 with the tanh form of GELU; gate and value are the halves of one row."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "geglu_fwd"
# grid = ["n_rows", "cdiv(n_cols, BLOCK)"]
# [sizes]
# n_rows = 8192
# n_cols = 8192
# [args]
# x_ptr = { dtype = "fp16", shape = ["n_rows", "2*n_cols"], init = "randn", seed = 0 }
# out_ptr = { dtype = "fp16", shape = ["n_rows", "n_cols"] }
# [constexprs]
# BLOCK = 2048
# [options]
# num_warps = 8
# [work]
# bytes = "6 * n_rows * n_cols"
# ///


@triton.jit
def tanh(x):
    return 2.0 * tl.sigmoid(2.0 * x) - 1.0


@triton.jit
def geglu_fwd(x_ptr, out_ptr, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    mask = columns < n_cols
    value = tl.load(x_ptr + row * 2 * n_cols + columns, mask=mask, other=0.0).to(tl.float32)
    gate = tl.load(x_ptr + row * 2 * n_cols + n_cols + columns, mask=mask, other=0.0).to(tl.float32)
    gelu = 0.5 * gate * (1.0 + tanh(0.7978845608028654 * (gate + 0.044715 * gate * gate * gate)))
    tl.store(out_ptr + row * n_cols + columns, (value * gelu).to(tl.float16), mask=mask)
