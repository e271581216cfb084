# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# The last row runs over; the load above has the mask that the store lacks.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = [1]
# [args]
# x_ptr = { dtype = "fp32", shape = [3, 12], init = "arange" }
# y_ptr = { dtype = "fp32", shape = [3, 12] }
# n_cols = 12
# ///


@triton.jit
def k(x_ptr, y_ptr, n_cols):
    row = tl.program_id(0) + 2
    i = tl.arange(0, 16)
    x = tl.load(x_ptr + row * n_cols + i, mask=i < n_cols, other=0)
    tl.store(y_ptr + row * n_cols + i, x)
#|  ^~ run-access-outside: `y_ptr[3, 0]` to `y_ptr[3, 3]`, past its last element [2, 11]; add `mask=i < n_cols`, as in line 23
#|   fix: add `mask=i < n_cols` | , mask=i < n_cols
