# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# An annotation is evaluated like any other expression.
import triton
import triton.language as tl


@triton.jit
def half(x, SIZE: constexpr):
#|                ^^^^^^^^^ undefined-name: `constexpr` is not defined: it belongs to the language, `tl.constexpr`
#|   fix: write `tl.constexpr` | tl.constexpr
    return x / SIZE


@triton.jit
def k(x_ptr, BLOCK: constexpr):
#|                  ^^^^^^^^^ undefined-name: `constexpr` is not defined
#|   fix: write `tl.constexpr` | tl.constexpr
    i = tl.arange(0, BLOCK)
    tl.store(x_ptr + i, half(tl.load(x_ptr + i), BLOCK))
