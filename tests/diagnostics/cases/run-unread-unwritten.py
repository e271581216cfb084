# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# The block is smaller than the rows: what is not read is not written either, and nothing is expected.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = [32]
# [args]
# x_ptr = { dtype = "fp32", shape = [32, 80], init = "randn" }
# y_ptr = { dtype = "fp32", shape = [32, 80] }
# n = 80
# [constexprs]
# BN = 64
# ///


@triton.jit
def k(x_ptr, y_ptr, n, BN: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BN)
    x = tl.load(x_ptr + row * n + cols, mask=cols < n)
#|      ^~ run-launch-unfit: no program reads `x_ptr[:, 64:80]`, the last 16 of its 80 columns: 512 of 2560 elements
#|   note: `BN` is 64: a block ends there, and no program goes on behind it
    tl.store(y_ptr + row * n + cols, 2 * x, mask=cols < n)
