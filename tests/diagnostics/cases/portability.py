# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# What compiles here, and not in Triton.
import triton
import triton.language as tl

WIDTH: tl.constexpr = 4


def twice(n):
    return 2 * n


#| set kernel k
#| set signature x_ptr=*i32,n=i32
#| set constexpr B=16
@triton.jit
def k(x_ptr, n, B: tl.constexpr):
    i = tl.arange(0, B)
    if B in (16, 32):
#|     ^^^^^^^^^^^^^ unsupported-syntax: `in` in a kernel: Triton does not compile this
        tl.store(x_ptr + i, WIDTH)
#|                          ^^^^^ unsupported-syntax: the global `WIDTH` is annotated
    tl.store(x_ptr + i, twice(B))
#|                      ^^^^^^^^ unsupported-syntax: the plain Python function `twice` in a kernel
    tl.store(x_ptr + i, abs(-3))
#|                      ^^^ unsupported-syntax: Python's `abs` in a kernel: Triton does not compile this
#|   note: kernels have `tl.abs`
#|   fix: write `tl.abs` | tl.abs
    items = [2 * j for j in range(3)]
#|          ^^^^^^^^^^^^^^^^^^^^^^^^^ unsupported-syntax: a list comprehension over anything but a tuple: Triton does not compile this
#|   note: the numbers themselves are a block, `tl.arange(0, 4)`; what is to be done for each of them is written below `for i in tl.static_range(4):`
    tl.store(x_ptr + n, items[1])
