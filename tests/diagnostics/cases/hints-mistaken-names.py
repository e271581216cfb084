# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Names in places where others are meant.
import triton
import triton.language as tl


#| set signature x_ptr=*fp32,n=i32
@triton.jit
def k(x_ptr, n):
    i = tl.arange(0, 16)
    m == i < n
#|  ^ undefined-name: `==` compares, and `=` gives `m` a value, `m = i < n`
#|   fix: write `m = i < n` | m = i < n
    x = tl.load(x_ptr + i)
    y = tl.load(x_ptr + i, mask == x)
#|                         ^^^^ undefined-name: `mask` is not defined
#|   note: an argument is given by its name as `mask=x`
#|   fix: write `mask=x` | mask=x
    z = x + random.random()
#|          ^^^^^^ undefined-name: `random` is not defined
#|   note: `tl.rand(seed, offsets)` makes a number for each offset
    z = x + random.gauss(0, 1)
#|          ^^^^^^ undefined-name: `random` is not defined
#|   note: `tl.randn(seed, offsets)`
    u = x.to(tl.int)
#|              ^^^ unknown-attribute: no attribute `int`
#|   note: did you mean `int32`?
#|   fix: write `int32`
    u = x.to(tl.float)
#|              ^^^^^ unknown-attribute: no attribute `float`
#|   note: did you mean `float32`?
    u = x.to(tl.uint)
#|              ^^^^ unknown-attribute: no attribute `uint`
#|   fix: write `uint32`
    u = tl.ln(x)
#|         ^^ unknown-attribute: no attribute `ln`
#|   note: kernels have `tl.log`
#|   fix: write `tl.log`
    u = tl.mod(x, 3)
#|         ^^^ unknown-attribute: no attribute `mod`
#|   fix: write `x % 3`
