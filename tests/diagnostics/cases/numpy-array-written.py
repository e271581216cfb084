# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# An element of an array, as NumPy writes it.
import triton
import triton.language as tl


# /// tilescope
# kernel = "k"
# grid = ["cdiv(n, BLOCK)"]
# [sizes]
# n = 1000
# [args]
# x_ptr = { dtype = "fp32", shape = ["n"], init = "randn" }
# out_ptr = { dtype = "fp32", shape = ["n"], expected = "x_ptr*2" }
# n = "n"
# [constexprs]
# BLOCK = 64
# ///


@triton.jit
def k(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    out_ptr[i] = x * 2
#|  ^^^^^^^^^^ unsupported-syntax: `out_ptr` is a pointer and cannot be indexed: store its elements with `tl.store(out_ptr + i, x * 2, mask=i < n)`
#|   fix: write `tl.store(out_ptr + i, x * 2, mask=i < n)` | tl.store(out_ptr + i, x * 2, mask=i < n)
