# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Each error is reported once, and none because of another.
import triton
import triton.language as tl


#| set kernel k
#| set signature x_ptr=*fp32,y_ptr=*fp32,n=i32
#| set constexpr B=64
@triton.jit
def scaled(a, factor):
    return a * factor


@triton.jit
def k(x_ptr, y_ptr, n, B: tl.constexpr):
    offsets = tl.arrange(0, BLOK)
#|               ^^^^^^^ unknown-attribute: no attribute `arrange`
#|   note: did you mean `arange`?
#|                          ^^^^ undefined-name: `BLOK` is not defined
    x = tl.load(x_ptr + offsets, msk=offsets < n)
#|                               ^^^ bad-call: `load` has no parameter `msk`
#|   note: did you mean `mask`?
    y = (x + 1).to(tl.flaot32)
#|                    ^^^^^^^ unknown-attribute: no attribute `flaot32`
#|   note: did you mean `float32`?
    z = tl.sum(y, 0, False, None, 5)
#|                                ^ bad-call: `sum` takes 4 positional arguments, but 5 are given
    w = scaled(z, 2, facto=3)
#|                   ^^^^^ bad-call: `scaled` has no parameter `facto`
#|   note: did you mean `factor`?
#|   from: defined here
    v = undefined1 + undefined2
#|      ^^^^^^^^^^ undefined-name: `undefined1` is not defined
#|                   ^^^^^^^^^^ undefined-name: `undefined2` is not defined
    for i in range(0, limit):
#|                    ^^^^^ undefined-name: `limit` is not defined
        u = tl.zeros((B,), tl.int64) + tl.zeros((2 * B,), tl.int64)
#|          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ shape-mismatch: incompatible dimensions at index 0: 64 and 128
        tl.store(y_ptr + u, i)
    if n > lmit:
#|         ^^^^ undefined-name: `lmit` is not defined
        tl.store(y_ptr, unknown)
#|                      ^^^^^^^ undefined-name: `unknown` is not defined
    tl.store(y_ptr + n, z)
