# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A bound that is computed is let through, too, by `<=`.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = [2]
# [args]
# x_ptr = { dtype = "fp32", shape = [2, 4, 16], init = "ones" }
# y_ptr = { dtype = "fp32", shape = [2, 4, 16] }
# H = 4
# W = 16
# [constexprs]
# B = 128
# ///


@triton.jit
def k(x_ptr, y_ptr, H, W, B: tl.constexpr):
    plane = tl.program_id(0) * H * W
    i = tl.arange(0, B)
    size = H * W
    x = tl.load(x_ptr + plane + i, mask=i <= size, other=0.0)
#|      ^~ run-access-outside: program 1 reads `x_ptr[2, 0, 0]`, past its last element [1, 3, 15]; `i <= size` is true for `size` itself
#|   fix: compare with `<`
    tl.store(y_ptr + plane + i, x, mask=i < size)
