# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Numbers that become blocks in a loop: what they begin with stays, whatever it is.
import triton
import triton.language as tl


@triton.jit
def _add(a, b):
    return a + b


#| set constexpr B=16
@triton.jit
def k(x_ptr, y_ptr, n, B: tl.constexpr):
    i = tl.arange(0, B)
    most = -1e30
    least = float("inf")
    largest = -float("inf")
    every = True
    carry = 0.0
    first = n * 1.0
    for j in range(n):
        x = tl.load(x_ptr + j * B + i)
        most = tl.maximum(most, x)
#|      ^^^^ loop-carried-type: loop-carried variable
#|   fix: | tl.full([B], -1e30, dtype=tl.float32)
        least = tl.minimum(least, x)
#|      ^^^^^ loop-carried-type: loop-carried variable
#|   fix: | tl.full([B], float("inf"), dtype=tl.float32)
        largest = tl.maximum(largest, x)
#|      ^^^^^^^ loop-carried-type: loop-carried variable
#|   fix: | tl.full([B], -float("inf"), dtype=tl.float32)
        every = every & (x > 0)
#|      ^^^^^ loop-carried-type: loop-carried variable
#|   fix: | tl.full([B], True, dtype=tl.int1)
        first = tl.minimum(first, x)
#|      ^^^^^ loop-carried-type: loop-carried variable
#|   note: begin with a block of what it begins with now, `tl.full([16], …, dtype=tl.float32)`
        y = tl.associative_scan(x, 0, _add) + carry
        tl.store(y_ptr + j * B + i, y)
        carry = y
#|      ^^^^^ loop-carried-type: loop-carried variable
#|   note: only one element goes on to the next turn, most likely the last
