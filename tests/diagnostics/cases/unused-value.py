# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A comparison stands where an assignment was meant, and a calculation alone in its line.
import triton
import triton.language as tl


@triton.jit
def compared(x, y):
    return x == y


#| set kernel k
#| set signature x_ptr=*fp32,out_ptr=*fp32,n=i32
#| set constexpr B=64
@triton.jit
def k(x_ptr, out_ptr, n, B: tl.constexpr):
    """Neither a text nor a constant is a calculation."""
    i = tl.program_id(0) * B + tl.arange(0, B)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    y == x * 2
#|  ^ undefined-name: `y` is not defined: `==` compares, and `=` gives `y` a value, `y = x * 2`
#|   fix: write `y = x * 2` | y = x * 2
    x == x * 3
#|  ^^^^^^^^^^ unused-result: the result of this comparison is not used: the statement gives no name a value
#|   note: `==` compares, and `=` gives a value: `x = x * 3`
#|   fix: write `x = x * 3` | x = x * 3
    x + 1
#|  ^^^^^ unused-result: the result of this calculation is not used
    B == 64
#|  ^^^^^^^ unused-result: the result of this comparison is not used
    tl.static_assert(B == 64)
    compared(x, x)
    x.to(tl.float16)
    ...
    tl.store(out_ptr + i, x, mask=i < n) if B > 32 else None
    tl.store(out_ptr + i, y, mask=i < n)
