# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# What a message knows how to mend it mends.
import triton
import triton.language as tl


# /// tilescope
# kernel = "k"
# grid = [1]
# [args]
# p = { dtype = "fp32", shape = [1024] }
# q = { dtype = "fp32", shape = [1024] }
# n = 1000
# [constexprs]
# BLOCK = 1000
# ///


@triton.jit
def k(p, q, n, BLOCK: tl.constexpr):
    pid = tl.program_id
#|        ^^^^^^^^^^^^^ type-mismatch: `tl.program_id` is a function; call it: `tl.program_id(0)`
#|   fix: write `tl.program_id(0)`
    a = tl.program_id * 2
#|      ^^^^^^^^^^^^^ type-mismatch: `tl.program_id` is a function; call it: `tl.program_id(0)`
#|   fix: write `tl.program_id(0)`
    b = tl.arange(0, BLOCK)
#|                   ^^^^^ bad-shape: must be a power of 2, but is 1000
#|   note: take the next power of 2, 1024
#|   fix: write `BLOCK = 1024` | 1024
    offsets = tl.arange(0, 1024)
    c = tl.arange(0, 1000)
#|                   ^^^^ bad-shape: must be a power of 2, but is 1000
#|   fix: write `1024` | 1024
    x = tl.load(p, offsets)
#|                 ^^^^^^^ shape-mismatch: `p` is the address of one element, and `offsets` is a block of 1024: add the offsets to the pointer, `p + offsets`
#|   fix: write `p + offsets`
    y = tl.load(p + offsets)
    w = tl.load(p + offsets)
    print(w)
#|        ^ bad-argument: the first argument of `print`
#|   fix: write `"w", w`
    z = y.mean()
#|        ^^^^ unknown-attribute: no attribute `mean`
#|   note: without those that a mask leaves out: `tl.sum(y, axis=0) / n`
    mask = offsets[:, None] < n
    tl.store(q + offsets, y, mask=mask)
#|                                ^^^^ shape-mismatch: `mask` of shape [1024, 1] is a column, and does not fit the pointers' shape [1024]
#|   from: `mask` of shape [1024, 1] is made here
#|   fix: | tl.reshape(mask, [1024])
    if offsets < n:
#|     ^^^^^^^^^^^ ambiguous-condition: use `mask=` or `tl.where`
#|   note: pass the condition as its `mask=`
        tl.store(q, 1.0)
