# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


#| set do run
#| set nothing
# /// tilescope
# kernel = "k"
# grid = [8]
# [args]
# x_ptr = { dtype = "fp32", shape = [64, 32], init = "randn" }
# next_ptr = { dtype = "i32", shape = [1], init = "zeros" }
# y_ptr = { dtype = "fp32", shape = [64, 32], expected = "x_ptr * 2" }
# n = 64
# ///


@triton.jit
def k(x_ptr, next_ptr, y_ptr, n):
    j = tl.arange(0, 32)
    tile = tl.atomic_add(next_ptr, 1, sem="relaxed")
    while tile < n:
        i = tile * 32 + j
        tl.store(y_ptr + i, tl.load(x_ptr + i) * 2)
        tile = tl.atomic_add(next_ptr, 1, sem="relaxed")
