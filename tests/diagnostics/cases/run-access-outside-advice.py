# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = [3]
# [args]
# x_ptr = { dtype = "fp32", shape = [40], init = "arange" }
# y_ptr = { dtype = "fp32", shape = [8, 8] }
# n = 40
# ///


@triton.jit
def k(x_ptr, y_ptr, n):
    i = tl.arange(0, 16)
    offs = tl.program_id(0) * 16 + i
    x = tl.load(x_ptr + offs)
#|      ^~ run-access-outside: program 2 reads `x_ptr[40…47]`, past its last element 39; add `mask=offs < n`
#|   fix: add `mask=offs < n` | , mask=offs < n
    z = tl.load(x_ptr + offs + 1, mask=offs < n, other=0)
#|      ^~ run-access-outside: `x_ptr[40]`, past its last element 39; its `mask` must be `(offs < n) & (offs + 1 < n)`
#|   fix: write `(offs < n) & (offs + 1 < n)`
    w = tl.load(x_ptr + (i - 16))
#|      ^~ run-access-outside: `x_ptr[-16…-1]`, before its first element; add `mask=i - 16 >= 0`
#|   note: the same in 2 more programs
    r = tl.load(x_ptr + tl.program_id(0) * n + i)
#|      ^~ run-access-outside: past its last element 39; the grid has too many programs, or the address or the shape of `x_ptr` in the launch block is wrong
#|   note: the same in 1 more program
    tl.store(y_ptr + i[:, None] * 16 + i[None, :], w[:, None] + (x * 0.0 + z * 0.0 + r * 0.0)[None, :])
#|  ^~ run-access-outside: `y_ptr[8, 0]` to `y_ptr[31, 7]`, past its last element [7, 7]; a `mask` must keep each index within its extent
#|   note: the same in 2 more programs
