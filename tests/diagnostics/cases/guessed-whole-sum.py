# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A sum of loaded numbers that begins as an integer is no reason to guess that they are integers.
import triton
import triton.language as tl


@triton.jit
def k(a, b, out, n):
    s = 0
    for i in range(n):
        s += tl.load(a + i) * tl.load(b + i)
#|      ^ loop-carried-type: initial type `int32` but is re-assigned to `fp32`
#|   from: it gets its first value here
#|   note: begin with `s = 0.0`
#|   fix: begin with `s = 0.0` | 0.0
    tl.store(out, s)
