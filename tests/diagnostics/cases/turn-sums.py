# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# What is meant to be added up in all turns of a loop, and a sum of one number.
import triton
import triton.language as tl


#| set constexpr BLOCK=64
@triton.jit
def turns(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    for start in range(0, n, BLOCK):
        x = tl.load(x_ptr + start + tl.arange(0, BLOCK))
        s = tl.sum(x, axis=0)
    tl.store(out_ptr, s)
#|                    ^ undefined-name: `s` is not defined
#|   fix: add up the sums of all turns: `s = 0.0` before the loop, `s +=` in it
    for start in range(0, n, BLOCK):
        t = tl.sum(tl.load(x_ptr + start + tl.arange(0, BLOCK)), axis=0)
        tl.store(out_ptr + start, t)
    # A value of each turn is no sum of them.
    tl.store(out_ptr, t)
#|                    ^ undefined-name: `t` is not defined
#|   note: give `t` a value before the branch or loop
    total = 0.0
    for start in range(0, n, BLOCK):
        total += tl.sum(tl.load(x_ptr + start + tl.arange(0, BLOCK)))
    tl.store(out_ptr, tl.sum(total, axis=0))
#|                    ^^^^^^^^^^^^^^^^^^^^^ type-mismatch: `sum` needs blocks, got fp32
#|   fix: write `total` | total
