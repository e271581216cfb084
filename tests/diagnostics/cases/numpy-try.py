# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# `try` in a kernel.
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
    try:
#|  ^^^ unsupported-syntax: `try` cannot be used in a kernel
#|   note: a kernel raises no exceptions: `tl.device_assert(condition, "text")` checks at run time, `tl.static_assert` while compiling
        x = tl.load(x_ptr + i)
    except IndexError:
        x = 0.0
    tl.store(out_ptr + i, x, mask=i < n)
