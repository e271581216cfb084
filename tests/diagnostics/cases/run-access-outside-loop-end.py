# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A loop goes on for longer than the array is, which no size of the kernel states.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = [1]
# [sizes]
# n = 4000
# [args]
# x_ptr = { dtype = "fp32", shape = ["n"], init = "ones" }
# y_ptr = { dtype = "fp32", shape = [1] }
# m = 5000
# [constexprs]
# B = 256
# ///


@triton.jit
def k(x_ptr, y_ptr, m, B: tl.constexpr):
    s = tl.zeros((B,), tl.float32)
    for start in range(0, m, B):
        o = start + tl.arange(0, B)
        s += tl.load(x_ptr + o)
#|           ^~ run-access-outside: past its last element 3999; end the loop `for start in range(0, m, B)` in line 26 earlier, or a `mask` must keep `o` below 4000
    tl.store(y_ptr, tl.sum(s, axis=0))
