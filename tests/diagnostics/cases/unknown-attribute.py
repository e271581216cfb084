# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


#| set constexpr B=16
@triton.jit
def k(x_ptr, y_ptr, n, B: tl.constexpr):
    i = tl.arange(0, B)
    m = i < n
    x = tl.load(x_ptr + i, mask=m)

    a = tl.foo(x)
#|         ^^^ unknown-attribute: no attribute `foo`
    b = x.foo
#|        ^^^ unknown-attribute: no attribute `foo`
    c = tl.zeros([16], tl.fp32)
#|                        ^^^^ unknown-attribute: no attribute `fp32`
#|   note: did you mean `float32`?
#|   fix: write `float32` | float32
    tl.store(y_ptr + i, x, mask=m)
    values = []
    values.append(x)
#|         ^^^^^^ unknown-attribute: has no attribute `append`
#|   note: a list of a kernel is a tuple, whose length stays
