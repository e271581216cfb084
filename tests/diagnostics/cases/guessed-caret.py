# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Types are guessed: `^` with a small number is meant as a power, and makes nothing an integer.
import triton
import triton.language as tl


#| set kernel k
@triton.jit
def k(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x_ptr + i, mask=i < n)
    a = 2 * v ^ 2
#|      ^^^^^^^^^ unsupported-syntax: `^` is the exclusive or of integers: a power is a product
#|   fix: write `(v * v)` | (v * v)
    b = (v - 1) ^ 2
#|      ^^^^^^^^^^^ unsupported-syntax: `^` is the exclusive or of integers
#|   fix: | (v - 1) * (v - 1)
    c = v ^ 2 + 1
#|      ^^^^^^^^^ unsupported-syntax: `^` is the exclusive or of integers
#|   fix: | (v * v)
    d = -v ^ 3
#|      ^^^^^^ unsupported-syntax: `^` is the exclusive or of integers
#|   fix: | (v * v * v)
    e = v ^ 0.5
#|      ^^^^^^^ unsupported-syntax: `^` is the exclusive or of integers
#|   fix: | tl.sqrt(v)
    f = v ^ 2 * v
#|      ^^^^^^^^^ unsupported-syntax: `^` is the exclusive or of integers
#|   fix: | (v * v)
    v ^= 2
#|  ^^^^^^ unsupported-syntax: `^` is the exclusive or of integers
    tl.store(y_ptr + i, a + b + c + d + e + f, mask=i < n)
