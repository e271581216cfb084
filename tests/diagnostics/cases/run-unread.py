# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# The block is smaller than the rows, and no loop goes on behind it.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = [32]
# [args]
# a_ptr = { dtype = "fp32", shape = [32, 80], init = "randn" }
# x_ptr = { dtype = "fp32", shape = [80], init = "randn" }
# y_ptr = { dtype = "fp32", shape = [32] }
# n = 80
# [constexprs]
# BN = 64
# ///


@triton.jit
def k(a_ptr, x_ptr, y_ptr, n, BN: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BN)
    a = tl.load(a_ptr + row * n + cols, mask=cols < n, other=0.0)
#|      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ run-launch-unfit: no program reads `a_ptr[:, 64:80]`, the last 16 of its 80 columns: 512 of 2560 elements
#|   note: `BN` is 64: a block ends there, and no program goes on behind it
    x = tl.load(x_ptr + cols, mask=cols < n, other=0.0)
#|      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ run-launch-unfit: no program reads `x_ptr[64:80]`, the last 16 of its 80 elements
#|   note: a kernel may be meant so; else a block is too small
    tl.store(y_ptr + row, tl.sum(a * x))
