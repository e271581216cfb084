# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# What `+=` and its like need to begin with.
import triton
import triton.language as tl


@triton.jit
def numbers(x, out, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    for j in range(0, n, BLOCK):
        s = tl.load(x + j + i, mask=i + j < n, other=0.0)
        total += tl.sum(s)
#|      ^^^^^ undefined-name: `total` has no value before the loop: `total = 0.0`
#|   fix: begin with `total = 0.0` | total = 0.0
        count += 1
#|      ^^^^^ undefined-name: `count` has no value before the loop: `count = 0`
#|   fix: begin with `count = 0` | count = 0
        product *= tl.max(s)
#|      ^^^^^^^ undefined-name: `product` has no value before the loop: `product = 1.0`
#|   fix: begin with `product = 1.0` | product = 1.0
        ratio /= 2.0
#|      ^^^^^ undefined-name: `ratio` has no value before the loop
#|   note: give `ratio` a value to begin with
