# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A divisor that is 0 for all elements.
import triton
import triton.language as tl

#| set do run
# /// tilescope
# kernel = "k"
# grid = [2]
# [args]
# x_ptr = { dtype = "i32", shape = [128], init = "arange" }
# o_ptr = { dtype = "i32", shape = [128], init = "empty" }
# n = 0
# [constexprs]
# B = 64
# ///


@triton.jit
def k(x_ptr, o_ptr, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    x = tl.load(x_ptr + i)
    safe = tl.where(n > 0, x % n, x)
    tl.store(o_ptr + i, safe + x // n)
#|                             ^^^^^^ run-undefined: an integer is divided by 0, which leaves an undefined value; give the divisor a value, or do not divide where it is 0
#|   note: in program 0
#|   note: the same in 1 more program
