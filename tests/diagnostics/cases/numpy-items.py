# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Lists that loops go through, and functions of arrays, as the host has them.
import numpy as np
import triton
import triton.language as tl


#| set signature x_ptr=*fp32,out_ptr=*fp32,n=i32
#| set constexpr B=64
@triton.jit
def k(x_ptr, out_ptr, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x_ptr + i, mask=i < n, other=0.0)
    a = v.copy()
#|        ^^^^ unknown-attribute: fp32[64] has no attribute `copy`
#|   note: kernels write `v`
#|   fix: | v
    c = np.count_nonzero(v)
#|      ^^^^^^^^^^^^^^^^^^^ import-not-found: `numpy.count_nonzero` cannot be used in a kernel
#|   note: kernels write `tl.sum((v != 0).to(tl.int32))`
#|   fix: | tl.sum((v != 0).to(tl.int32))
    for d in [-1, 0, 1]:
#|           ^^^^^^^^^^ unsupported-syntax: a `for` loop of a kernel counts
#|   note: these numbers are `range(-1, 2)`
#|   fix: | range(-1, 2)
        a += tl.load(x_ptr + i + d)
    for e in (0, 2, 4):
#|           ^^^^^^^^^ unsupported-syntax: a `for` loop of a kernel counts
#|   note: these numbers are `range(0, 6, 2)`
#|   fix: | range(0, 6, 2)
        a += tl.load(x_ptr + i + e)
    for f in [1, 2, 4]:
#|           ^^^^^^^^^ unsupported-syntax: a `for` loop of a kernel counts
#|   note: the items of a tuple are `items[i]`
        a += tl.load(x_ptr + i + f)
    for g, h in enumerate(v):
#|                        ^ not-constexpr: Python's `enumerate` runs at compile time and needs constexprs, got fp32[64]
#|   note: operations act on all elements of the block `v` at once, without a loop; the block of their numbers is `tl.arange(0, 64)`
        a += h
    tl.store(out_ptr + i, v, mask=v)
#|                                ^ type-mismatch: mask must have boolean scalar type, got fp32[64]
#|   note: a mask is a comparison, as in `i < n`, or `v != 0` for the elements where `v` is not 0
