# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Rows that are left out as a whole have maxima of their own, which nothing stores. A running maximum takes them in.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = ["cdiv(m, 32)"]
# [sizes]
# m = 70
# n = 16
# [args]
# x_ptr = { dtype = "fp32", shape = ["m", "n"], init = "randn" }
# y_ptr = { dtype = "fp32", shape = ["m"] }
# z_ptr = { dtype = "fp32", shape = ["n"] }
# w_ptr = { dtype = "fp32", shape = [32] }
# [constexprs]
# n = "n"
# ///


@triton.jit
def k(x_ptr, y_ptr, z_ptr, w_ptr, m, n: tl.constexpr):
    rows = tl.program_id(0) * 32 + tl.arange(0, 32)
    cols = tl.arange(0, n)
    mask = rows < m
    a = tl.load(x_ptr + rows[:, None] * n + cols[None, :], mask=mask[:, None], other=0.0)
    best, place = tl.max(a, axis=1, return_indices=True)
    tl.store(y_ptr + rows, best + place * 0.0, mask=mask)
    if tl.program_id(0) == 2:
        b = tl.load(x_ptr + rows[:, None] * n + cols[None, :], mask=mask[:, None], other=0.0)
#|                                                                                       ^^^ run-other-counted: `other=0.0` takes part in a reduction: `other=float("-inf")` leaves it as it is
        tl.store(z_ptr + cols, tl.max(b, axis=0))
        most = tl.full([32], -1000.0, tl.float32)
        for begin in range(0, 96, 32):
            c = tl.load(x_ptr + (rows[:, None] - 64 + begin) * n + cols[None, :], mask=(rows - 64 + begin < m)[:, None], other=0.0)
#|                                                                                                                             ^^^ run-other-counted: `other=float("-inf")` leaves it as it is
            most = tl.maximum(most, tl.max(c, axis=1))
        tl.store(w_ptr + rows - 64, most)
