# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Programs whose blocks overlap.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = ["cdiv(n, BLOCK)"]
#|        ^^^^^^^^^^^^^^^^ run-mismatch: `y_ptr[259]` is nan instead of
#|   note: the grid has 4 programs, which write 259 of 1000 elements
#|   note: blocks of 256 overlap: program `pid` begins at `pid * BLOCK`
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
    i = tl.program_id(0) + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, x * 2, mask=i < n)
