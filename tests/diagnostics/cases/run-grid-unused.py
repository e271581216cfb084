# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A kernel whose programs all do the same.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = ["cdiv(n, BLOCK)"]
#|        ^^^^^^^^^^^^^^^^ run-mismatch: `y_ptr[256]` is nan instead of
#|   note: the kernel does not use `tl.program_id`: all programs write to the same places
# [sizes]
# n = 1000
# [args]
# x_ptr = { dtype = "fp32", shape = ["n"], init = "randn" }
# y_ptr = { dtype = "fp32", shape = ["n"], expected = "x_ptr * 2" }
# n = "n"
# [constexprs]
# BLOCK = 256
# ///


@triton.jit
def k(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, x * 2, mask=i < n)
