# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# An offset that was divided to a real number.
import triton
import triton.language as tl


# /// tilescope
# kernel = "k"
# grid = ["cdiv(n, BLOCK)"]
# [sizes]
# n = 1000
# [args]
# x_ptr = { dtype = "fp32", shape = ["n"], init = "randn" }
# out_ptr = { dtype = "fp32", shape = ["n"], expected = "x_ptr" }
# n = "n"
# [constexprs]
# BLOCK = 64
# ///


@triton.jit
def k(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    j = i / 2
#|      ^^^^^ type-mismatch: `/` makes a real number, which cannot be added to a pointer: use `//`, which divides integers
#|   from: it is an offset here
#|   fix: divide with `//` | //
    x = tl.load(x_ptr + j, mask=i < n)
    tl.store(out_ptr + i, x, mask=i < n)
