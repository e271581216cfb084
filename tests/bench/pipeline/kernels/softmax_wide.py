# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Softmax of a whole row of 65536 columns with four warps."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "softmax_wide"
# grid = [4]
# [args]
# x_ptr = { dtype = "fp32", shape = [4, 65000] }
# y_ptr = { dtype = "fp32", shape = [4, 65000] }
# stride = "65000"
# n = "65000"
# [constexprs]
# BLOCK = "65536"
# [options]
# num_warps = 4
# num_stages = 2
# ///


@triton.jit
def softmax_wide(x_ptr, y_ptr, stride, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n
    x = tl.load(x_ptr + row * stride + columns, mask=mask, other=-float("inf"))
    e = tl.exp(x - tl.max(x, axis=0))
    tl.store(y_ptr + row * stride + columns, e / tl.sum(e, axis=0), mask=mask)
