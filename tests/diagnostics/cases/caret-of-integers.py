# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Of what an array holds, a small number behind `^` is meant as a power.
import triton
import triton.language as tl


#| set signature x_ptr=*i32,out_ptr=*i32
@triton.jit
def k(x_ptr, out_ptr):
    i = tl.arange(0, 16)
    x = tl.load(x_ptr + i)
    tl.store(out_ptr + i, x ^ 2)
#|                        ^^^^^ unsupported-syntax: `^ 2` is the exclusive or with 2, and not a power
#|   fix: write `x * x` | x * x
