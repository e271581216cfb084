# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# An axis is read that the grid does not have.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "scale"
# grid = ["cdiv(n, 16)"]
#|        ^^^^^^^^^^^^^ run-launch-unfit: the kernel does not read `tl.program_id(0)`
# [sizes]
# n = 40
# [args]
# x = { dtype = "fp32", shape = ["n"], init = "randn" }
# y = { dtype = "fp32", shape = ["n"], init = "randn" }
# ///
@triton.jit
def scale(x, y, n):
    i = tl.program_id(axis=1) * 16 + tl.arange(0, 16)
#|                         ^ run-launch-unfit: `tl.program_id(1)` is 0 in every program: the grid of this launch has one axis
#|   fix: read axis 0 in line 20 | 0
    tl.store(y + i, tl.load(x + i, mask=i < n), mask=i < n)
