# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A pointer that is taken for an array, and an offset that is no integer.
import triton
import triton.language as tl


@triton.jit
def k(x_ptr, y_ptr):
    a = x_ptr[0]
#|      ^^^^^^^^ bad-argument: `x_ptr` is a pointer and cannot be indexed: load its elements with `tl.load(x_ptr)`
    b = x_ptr.astype(tl.float32)
#|            ^^^^^^ unknown-attribute: has no attribute `astype`
#|   note: `x_ptr` is a pointer: load its elements first
#|   note: kernels write `tl.load(x_ptr + offsets).to(tl.float32)`
    c = y_ptr.to(tl.float32)
#|      ^^^^^^^^^^^^^^^^^^^^ type-mismatch: a pointer is an address; load its elements first
    i = tl.arange(0, 64) / 2
#|      ^^^^^^^^^^^^^^^^^^^^ type-mismatch: `/` makes a real number, which cannot be added to a pointer
#|   from: it is an offset here
#|   fix: divide with `//`
    d = tl.load(x_ptr + i)
    m = -inf
#|       ^^^ undefined-name: `inf` is not defined
#|   note: kernels write `float("-inf")`
#|   fix: write `float("-inf")`
    tl.store(y_ptr, 1.0)
