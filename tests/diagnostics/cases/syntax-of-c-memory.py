# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Memory and choices as C writes them.
import triton
import triton.language as tl


@triton.jit
def k(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = *(x_ptr + i)
#|      ^~ syntax-invalid-target: Python has no `*pointer`: `tl.load(x_ptr + i)` reads what is there
#|   fix: write `tl.load(x_ptr + i)` | tl.load(x_ptr + i)
    z = (*x_ptr)
#|       ^^^^^^ syntax-invalid-target: Python has no `*pointer`: `tl.load(x_ptr)` reads what is there
#|   fix: write `tl.load(x_ptr)`
    w = x + *x_ptr
#|          ^^^^^^ syntax-invalid-target: Python has no `*pointer`: `tl.load(x_ptr)` reads what is there
#|   fix: write `tl.load(x_ptr)` | tl.load(x_ptr)
    v = *(x_ptr + i) + 2 * *(x_ptr + (i + 1))
#|      ^~ syntax-invalid-target: Python has no `*pointer`: `tl.load(x_ptr + i) + 2 * tl.load(x_ptr + (i + 1))` reads what is there
#|   fix: write `tl.load(x_ptr + i) + 2 * tl.load(x_ptr + (i + 1))`
#|                         ^~ syntax-invalid-target: Python has no `*pointer`: `tl.load(x_ptr + (i + 1))` reads what is there
#|   fix: write `tl.load(x_ptr + (i + 1))`
    y = x > 0 ? x : x * (1 + n)
#|            ^ syntax-invalid-character: Python has no `c ? a : b`: `tl.where(x > 0, x, x * (1 + n))` chooses for each element of a block, and `a if c else b` for numbers
#|   fix: write `tl.where(x > 0, x, x * (1 + n))`
    *(out_ptr + i) = 2.0
#|  ^~ syntax-invalid-target: Python has no `*pointer` to assign to: `tl.store(out_ptr + i, 2.0)` writes to memory
#|   fix: write `tl.store(out_ptr + i, 2.0)` | tl.store(out_ptr + i, 2.0)
    *(out_ptr + i) = *(x_ptr + i) * *x_ptr
#|  ^~ syntax-invalid-target: Python has no `*pointer` to assign to: `tl.store(out_ptr + i, tl.load(x_ptr + i) * tl.load(x_ptr))` writes to memory
#|   fix: write `tl.store(out_ptr + i, tl.load(x_ptr + i) * tl.load(x_ptr))`
#|                   ^~ syntax-invalid-target: Python has no `*pointer`: `tl.load(x_ptr + i) * tl.load(x_ptr)` reads what is there
#|   fix: write `tl.load(x_ptr + i) * tl.load(x_ptr)`
#|                                  ^^^^^^ syntax-invalid-target: Python has no `*pointer`: `tl.load(x_ptr)` reads what is there
#|   fix: write `tl.load(x_ptr)`
