# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# `<=` beside other conditions, and behind names.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = [2]
# [args]
# x_ptr = { dtype = "fp32", shape = [40], init = "ones" }
# w_ptr = { dtype = "fp32", shape = [40], init = "ones" }
# a_ptr = { dtype = "fp32", shape = [40, 24], init = "ones" }
# b_ptr = { dtype = "fp32", shape = [40, 24], init = "ones" }
# y_ptr = { dtype = "fp32", shape = [40] }
# n = 40
# cols = 24
# [constexprs]
# B = 32
# ///


@triton.jit
def k(x_ptr, w_ptr, a_ptr, b_ptr, y_ptr, n, cols, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    j = tl.arange(0, B)
    inside = i <= n
    odd = i % 2 == 0
    x = tl.load(x_ptr + i, mask=inside & odd, other=0.0)
#|      ^~ run-access-outside: program 1 reads `x_ptr[40]`, past its last element 39; `i <= n` is true for `n` itself
#|   fix: compare with `<` | <
    w = tl.load(w_ptr + i, mask=(n >= i) & odd, other=0.0)
#|      ^~ run-access-outside: program 1 reads `w_ptr[40]`, past its last element 39; `n >= i` is true for `n` itself
#|   fix: compare with `>` | >
    at = i[:, None] * cols + j[None, :]
    a = tl.load(a_ptr + at, mask=(i[:, None] <= n) & (j[None, :] < cols), other=0.0)
#|      ^~ run-access-outside: `i[:, None] <= n` is true for `n` itself
#|   fix: compare with `<` | <
    causal = j[None, :] <= i[:, None]
    b = tl.load(b_ptr + at, mask=(i[:, None] <= n) & (j[None, :] <= cols) & causal, other=0.0)
#|      ^~ run-access-outside: `i[:, None] <= n` is true for `n` itself
#|   fix: compare without `=` | < n) & (j[None, :] <
    tl.store(y_ptr + i, x + w + tl.sum(a + b, axis=1), mask=i < n)
