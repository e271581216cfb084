# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A histogram of what the mask of a load leaves undefined.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = [1]
# [sizes]
# n = 50
# [args]
# x_ptr = { dtype = "int32", shape = ["n"], init = "randint", low = 0, high = 16 }
# y_ptr = { dtype = "int32", shape = [16] }
# n = "n"
# ///


@triton.jit
def k(x_ptr, y_ptr, n):
    i = tl.arange(0, 64)
    x = tl.load(x_ptr + i, mask=i < n)
    h = tl.histogram(x, 16)
    tl.store(y_ptr + tl.arange(0, 16), h)
#|  ^~ run-undefined: give `tl.histogram` in line 25 the mask of the load, `mask=i < n`
#|   fix: add `mask=i < n` | , mask=i < n
