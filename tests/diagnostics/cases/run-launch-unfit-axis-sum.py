# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Programs that share out a sum, of which none reads which part is its own.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "parts"
# grid = ["cdiv(n, 64)", "S"]
#|                       ^^^ run-launch-unfit: the kernel does not read `tl.program_id(1)`: the 3 programs along axis 1 of the grid all do the same, so that each adds the same to `y`
# [sizes]
# n = 256
# [args]
# x = { dtype = "fp32", shape = ["n"], init = "randn" }
# y = { dtype = "fp32", shape = ["n"], init = "zeros" }
# [constexprs]
# S = 3
# ///


@triton.jit
def parts(x, y, n, S: tl.constexpr):
    i = tl.program_id(0) * 64 + tl.arange(0, 64)
    tl.atomic_add(y + i, tl.load(x + i, mask=i < n, other=0.0), mask=i < n)
