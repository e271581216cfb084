# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Sums that begin with nothing.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "sums"
# grid = ["cdiv(n, 64)"]
# [sizes]
# n = 256
# [args]
# x = { dtype = "fp32", shape = ["n"], init = "randn" }
# y = { dtype = "fp32", shape = [64], init = "empty" }
#| @3-4 run-undefined: `tl.atomic_add` adds to what `y` holds, but nothing fills it before the launch, so that every sum is nan; begin with `init = "zeros"`
#|   from: depends on what is there
#|   fix: give `y` values: `init = "zeros"` | "zeros"
# counts = { dtype = "i32", shape = [64] }
#| @3-9 run-undefined: `tl.atomic_add` adds to what `counts` holds, but nothing fills it before the launch, so that every sum has chance in it
#|   fix: | , init = "zeros"
# z = { dtype = "fp32", shape = [64], init = "zeros" }
# last = { dtype = "i32", shape = [64] }
# ///


@triton.jit
def sums(x, y, counts, z, last, n):
    i = tl.program_id(0) * 64 + tl.arange(0, 64)
    v = tl.load(x + i, mask=i < n, other=0.0)
    tl.atomic_add(y + tl.arange(0, 64), v)
    tl.atomic_add(counts + tl.arange(0, 64), 1)
    tl.atomic_add(z + tl.arange(0, 64), v)
    # What was there does not matter.
    tl.atomic_xchg(last + tl.arange(0, 64), 1)
