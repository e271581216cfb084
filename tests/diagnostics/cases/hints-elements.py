# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Loops over the elements of a block.
import triton
import triton.language as tl


#| set constexpr B=64
@triton.jit
def k(x_ptr, out_ptr, n, B: tl.constexpr):
    i = tl.arange(0, B)
    a = tl.load(x_ptr + i, mask=i < n, other=0.0)
    s = 0.0
    for k in range(n):
        s += a[k]
#|             ^ bad-argument: unsupported tensor index: `a` is a block, and only `:` and `None` index it
#|   note: a block needs no loop: `s += tl.sum(a, axis=0)`
#|   fix: write `s += tl.sum(a, axis=0)` instead of the loop | s += tl.sum(a, axis=0)
    largest = 0.0
    for k in range(B):
        largest = max(largest, a[k])
#|                               ^ bad-argument: unsupported tensor index
#|   note: a block needs no loop: `largest = max(largest, tl.max(a, axis=0))`
    total = 0.0
    for v in a:
#|           ^ unsupported-syntax: a loop cannot go through the elements of a block
#|   note: a block needs no loop: `total += tl.sum(a, axis=0)`
#|   fix: write `total += tl.sum(a, axis=0)` instead of the loop | total += tl.sum(a, axis=0)
        total += v
    d = a[i - 1]
#|        ^^^^^ bad-argument: unsupported tensor index
#|   note: elements of a block cannot be picked by number
#|   note: neighbors of elements are loaded as blocks of their own
    tl.store(out_ptr + i, i)
