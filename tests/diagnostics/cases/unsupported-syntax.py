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

    f = lambda a: a
#|      ^^^^^^^^^^^ unsupported-syntax: `lambda` is not supported in a kernel
    a = 0 < n < 3
#|      ^^^^^^^^^ unsupported-syntax: multiple comparison
    b = c = 1
#|  ^^^^^^^^^ unsupported-syntax: multiple assignment
    d = x ** 2
#|      ^^^^^^ unsupported-syntax: constexprs only
    for j in [1, 2]:
#|           ^^^^^^ unsupported-syntax: iterators
        pass
    tl.store(y_ptr + i, x, mask=m)
