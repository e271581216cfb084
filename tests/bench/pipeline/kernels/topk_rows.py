# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""The largest 64 of rows of 8192."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "topk_rows"
# grid = [4]
# [args]
# x_ptr = { dtype = "fp32", shape = [4, 8192] }
# y_ptr = { dtype = "fp32", shape = [4, 64] }
# [constexprs]
# BLOCK = "8192"
# K = "64"
# [options]
# num_warps = 4
# num_stages = 2
# ///


@triton.jit
def topk_rows(x_ptr, y_ptr, BLOCK: tl.constexpr, K: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * BLOCK + columns)
    tl.store(y_ptr + row * K + tl.arange(0, K), tl.topk(x, K))
