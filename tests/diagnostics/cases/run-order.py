# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A difference is another one in another order, and elements of `tl.cat` have none.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = [1]
# [args]
# x = { dtype = "fp32", shape = [64], init = "randn" }
# y = { dtype = "fp32", shape = [129], init = "zeros" }
# ///


@triton.jit
def minus(a, b):
    return a - b


@triton.jit
def k(x, y):
    i = tl.arange(0, 64)
    v = tl.load(x + i)
    tl.store(y + 128, tl.reduce(v, 0, minus))
#|                    ^^^^^^^^^^^^^^^^^^^^^^ run-order: the function of this reduction is not associative: f(f(0.5, 1.25), 3.125) is -3.875, but f(0.5, f(1.25, 3.125)) is 2.375
#|   note: a GPU combines the elements in an order that the layout decides
    tl.store(y + tl.arange(0, 128), tl.cat(v, v, can_reorder=True))
#|  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ run-order: elements of `tl.cat` are paired here with elements in a known order
#|   note: the CPU keeps their order
