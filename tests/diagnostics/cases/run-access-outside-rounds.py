# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# What the rounds of a loop read outside is told as a whole, and what depends on it.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = [1]
# [sizes]
# n = 100
# [args]
# x_ptr = { dtype = "fp32", shape = ["n"], init = "ones" }
# y_ptr = { dtype = "fp32", shape = [1], expected = "sum(x_ptr)" }
# n = "n"
# ///


@triton.jit
def k(x_ptr, y_ptr, n):
    acc = tl.zeros((32,), tl.float32)
    for start in range(0, 256, 32):
        i = start + tl.arange(0, 32)
        acc += tl.load(x_ptr + i, mask=i < 2 * n, other=0.0)
#|             ^~ run-access-outside: program 0 reads `x_ptr[100…199]`, past its last element 99; its `mask` lets them through
#|   note: what is read there is 0 here, and anything on a GPU: `y_ptr` depends on it
    tl.store(y_ptr, tl.sum(acc, axis=0))
