# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Numbers with the suffixes of C, one with two points, and a sum that is assigned.
import triton
import triton.language as tl


@triton.jit
def k(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    ofs = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + ofs)
    y = 1.5f * x
#|      ^^^^ syntax-invalid-number: invalid decimal literal `1.5f`
#|   note: numbers have no suffix here: `1.5` takes the type of what it is combined with
#|   fix: write `1.5` | 1.5
    y = y * 10UL
#|          ^^^^ syntax-invalid-number: invalid decimal literal `10UL`
#|   fix: write `10` | 10
    y = y / 2.0.5
#|          ^^^^^ syntax-invalid-number: `2.0.5` is not a number: it has more than one point
    out_ptr + ofs = x
#|  ^^^^^^^^^^^^^ syntax-invalid-target: cannot assign to an expression: `tl.store(out_ptr + ofs, x)` writes to memory
#|   fix: write `tl.store(out_ptr + ofs, x)` | tl.store(out_ptr + ofs, x)
