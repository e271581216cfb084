# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Behind a loop with an error, what follows from it is not reported, and all else is.
import triton
import triton.language as tl


#| set constexpr B=64
@triton.jit
def k(x_ptr, out_ptr, n, B: tl.constexpr):
    i = tl.arange(0, B)
    acc = tl.zeros([B], dtype=tl.float32)
    for j in range(0, n, B):
        x = tl.load(x_ptr + j + i, mask=j + i < n, other=0.0)
        total += tl.sum(x, axis=0)
#|      ^^^^^ undefined-name: `total` has no value before the loop: `total = 0.0`
#|   fix: begin with `total = 0.0`
        acc += x.exq()
#|               ^^^ unknown-attribute: no attribute `exq`
    tl.store(out_ptr, total)
    tl.store(out_ptr, acc)
#|                    ^^^ shape-mismatch: `out_ptr` is the address of one element, and `acc` is a block of 64
    s = 0.0
    for j in range(n):
        s += tl.load(x_ptr + j + i)
#|      ^ loop-carried-type: initial type `fp32` but is re-assigned to `fp32[64]`
    tl.store(out_ptr, tl.sum(s, axis=0))
    tl.store(out_ptr, s, maks=i)
#|                       ^^^^ bad-call: `store` has no parameter `maks`
    for j in range(0, n, B):
        rows += tl.sum(tl.load(x_ptr + i[:, None] * n + i[None, :]), axis=1)
#|      ^^^^ undefined-name: `rows` has no value before the loop: `rows = tl.zeros([B], dtype=tl.float32)`
    tl.store(out_ptr + i, rows)
