# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A loop in steps over several rows says where its index ends; another access at the same places has a mask,
# and an `other`.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = [2]
# [args]
# x_ptr = { dtype = "fp32", shape = [2, 3, 50], init = "arange" }
# y_ptr = { dtype = "fp32", shape = [2] }
# C = 3
# W = 50
# [constexprs]
# B = 64
# ///


@triton.jit
def k(x_ptr, y_ptr, C, W, B: tl.constexpr):
    n = tl.program_id(0)
    size = C * W
    base = n * C * W
    s = tl.zeros((B,), tl.float32)
    for start in range(0, size, B):
        offs = start + tl.arange(0, B)
        s += tl.load(x_ptr + base + offs)
#|           ^~ run-access-outside: program 1 reads `x_ptr[2, 0, 0]` to `x_ptr[2, 0, 41]`
#|   fix: mask=offs < size
    tl.store(y_ptr + n, tl.sum(s))
    for start in range(0, size, B):
        places = start + tl.arange(0, B)
        m = places < size
        x = tl.load(x_ptr + base + places, mask=m, other=0.0)
        y = tl.load(x_ptr + base + places)
#|          ^~ run-access-outside: program 1 reads
#|   fix: mask=m, other=0.0
        s += x + y
    tl.store(y_ptr + n, tl.sum(s))
