# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# What a person probably meant.
import triton
import triton.language as tl


#| set constexpr B=16
#| set signature x_ptr=*fp32,n=i32,count=i32
@triton.jit
def k(x_ptr, n, count, B: tl.constexpr):
    i = tl.arange(0, B)
    a = tl.laod(x_ptr + i)
#|         ^^^^ unknown-attribute: no attribute `laod`
#|   note: did you mean `load`?
    b = tl.load(x_ptr + i, maks=i < n)
#|                         ^^^^ bad-call: no parameter `maks`
#|   note: did you mean `mask`?
    c = i.summ()
#|        ^^^^ unknown-attribute: no attribute `summ`
#|   note: did you mean `sum`?
    d = cuont + 1
#|      ^^^^^ undefined-name: `cuont` is not defined
#|   note: did you mean `count`?
    e = i.to(float32)
#|           ^^^^^^^ undefined-name: `float32` is not defined
#|   note: did you mean `tl.float32`?
    f = tl.arange(0, count)
#|                   ^^^^^ not-constexpr: the number of indices must be a `tl.constexpr`, and `count` (int32) is known at run time: `tl.arange(0, B)`
#|   fix: write `B`
    g = tl.arange(0, 100)
#|                   ^^^ bad-shape: arange's range must be a power of 2, but is 100
#|   note: 128, and mask
    h = x_ptr[0]
#|      ^^^^^^^^ bad-argument: `x_ptr` is a pointer and cannot be indexed: load its elements with `tl.load(x_ptr)`
    if n > 3:
        j = 1
    l = j
#|      ^ undefined-name: `j` is not defined
#|   note: give `j` a value before the branch or loop
#|   from: it gets a value here, but not on every path
    for _ in range(n):
        break
#|      ^^^^^ unsupported-syntax: `break` cannot be used in a kernel
#|   note: put what follows under an `if`
    def inner(x):
#|      ^^^^^ unsupported-syntax: a function cannot be defined in a kernel
#|   note: define it at the top level
        return x
    tl.store(x_ptr, inner(n))
    m = tl.dot(tl.zeros((16, 32), tl.float16), tl.zeros((16, 32), tl.float16))
#|                                             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ shape-mismatch: not compatible for matmul
#|   note: transpose the second input
