# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A mask that is never true leaves all undefined: an `other` would hide that.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = ["cdiv(n, B)"]
# [sizes]
# n = 1000
# [args]
# x_ptr = { dtype = "fp32", shape = ["n"], init = "ones" }
# y_ptr = { dtype = "fp32", shape = ["n"] }
# n = "n"
# [constexprs]
# B = 256
# ///


@triton.jit
def k(x_ptr, y_ptr, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    x = tl.load(x_ptr + i, mask=i < n - n)
#|      ^~ run-undefined: the mask of this `tl.load` was false for every element of every program: it read nothing of `x_ptr`
#|   note: the mask is `i < n - n`; in this launch, `n` is 1000
    tl.store(y_ptr + i, x, mask=i < n)
#|  ^~ run-undefined: receives a value that a masked-off load left undefined; the mask of the load is never true
#|   from: this reads nothing: its mask is false for every element of every program
