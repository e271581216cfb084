# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = [1]
# [sizes]
# n = 64
# [args]
# x_ptr = { dtype = "fp32", shape = ["n"] }
# y_ptr = { dtype = "fp32", shape = ["n"] }
# n = "n"
# [constexprs]
# B = "64"
# ///


@triton.jit
def k(x_ptr, y_ptr, n, B: tl.constexpr):
    i = tl.arange(0, B)
    m = i < n
    x = tl.load(x_ptr + i, mask=m)
    j = 0
    while j < 1:
#|        ^^^^^ run-step-limit: this loop does not seem to end
#|   note: in program 0
        j = j * 2
    tl.store(y_ptr + i, x + j, mask=m)
