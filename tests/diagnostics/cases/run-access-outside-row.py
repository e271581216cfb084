# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A block that is longer than a row: its own index has the bound, and the row has none.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = [5]
# [args]
# x = { dtype = "fp32", shape = [5, 100], init = "arange" }
# y = { dtype = "fp32", shape = [5] }
# rows = 5
# cols = 100
# [constexprs]
# BLOCK = 128
# ///


@triton.jit
def k(x, y, rows, cols, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    v = tl.load(x + r * cols + c)
#|      ^~ run-access-outside: program 4 reads `x[5, 0]` to `x[5, 27]`, past its last element [4, 99]; add `mask=c < cols, other=0.0`
#|   fix: add `mask=c < cols, other=0.0` | , mask=c < cols, other=0.0
    # The row is one too far.
    w = tl.load(x + (r + 1) * cols + tl.arange(0, 64))
#|      ^~ run-access-outside: add `mask=r + 1 < rows, other=0.0`
#|   fix: | , mask=r + 1 < rows, other=0.0
    tl.store(y + r * 2, tl.sum(v) + tl.sum(w))
#|  ^~ run-access-outside: add `mask=r * 2 < rows`
#|   fix: | , mask=r * 2 < rows
#|   note: the same in 1 more program
