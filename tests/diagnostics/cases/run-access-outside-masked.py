# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Neighbors have a bound on each side: the one that is missing is named.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = [4]
# [sizes]
# n = 1000
# [args]
# x_ptr = { dtype = "fp32", shape = ["n"], init = "ones" }
# y_ptr = { dtype = "fp32", shape = ["n"] }
# n = "n"
# [constexprs]
# B = "256"
# ///


@triton.jit
def k(x_ptr, y_ptr, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    left = tl.load(x_ptr + i - 1, mask=i > 0, other=0.0)
#|         ^~ run-access-outside: program 3 reads `x_ptr[1000…1022]`, past its last element 999; its `mask` must be `(i > 0) & (i - 1 < n)`
#|   fix: write `(i > 0) & (i - 1 < n)`
    right = tl.load(x_ptr + i + 1, mask=i < n, other=0.0)
#|          ^~ run-access-outside: program 3 reads `x_ptr[1000]`, past its last element 999; its `mask` must be `(i < n) & (i + 1 < n)`
#|   fix: write `(i < n) & (i + 1 < n)`
    first = tl.load(x_ptr + i - 1)
#|          ^~ run-access-outside: add `mask=i - 1 >= 0`
#|          ^~ run-access-outside: add `mask=i - 1 < n`
    tl.store(y_ptr + i, left + right + first, mask=i < n)
