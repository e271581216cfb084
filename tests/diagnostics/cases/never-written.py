# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = [1]
# [sizes]
# n = 64
# [args]
# x_ptr = { dtype = "fp32", shape = ["n"], init = "arange" }
# y_ptr = { dtype = "fp32", shape = ["n"], init = "empty" }
#| @3-8 run-undefined: `y_ptr` was never written
#|   note: the kernel writes `x_ptr`, which holds data
# z_ptr = { dtype = "fp32", shape = ["n"] }
# n = "n"
# [constexprs]
# B = "64"
# ///


@triton.jit
def k(x_ptr, y_ptr, z_ptr, n, B: tl.constexpr):
    i = tl.arange(0, B)
    x = tl.load(x_ptr + i, mask=i < n)
    # Half of it is something.
    tl.store(z_ptr + i, x, mask=i < 32)
    tl.store(x_ptr + i, x + 1, mask=i < n)
