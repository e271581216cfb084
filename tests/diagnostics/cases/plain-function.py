# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


#| set constexpr B=16
def scale(a):
    return a * 2


@triton.jit
def k(x_ptr, y_ptr, n, B: tl.constexpr):
    i = tl.arange(0, B)
    m = i < n
    x = tl.load(x_ptr + i, mask=m)

    tl.store(y_ptr + i, scale(x), mask=m)
#|                      ^^^^^^^^ plain-function: `scale` is a plain Python function: it can be called on constexprs only
#|   note: decorate it with `@triton.jit`
#|   from: defined here
#|   fix: add `@triton.jit` | @triton.jit
