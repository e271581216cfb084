# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Rows and columns in an order in which the columns come first, beside indices that say which is which.
import triton
import triton.language as tl


@triton.jit
def k(x_ptr, n_rows, n_cols):
    rows = tl.arange(0, 32)
    cols = tl.arange(0, 64)
    x = tl.load(x_ptr + rows[:, None] * n_cols + cols[None, :])
    mask = cols < n_cols and rows < n_rows
#|         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ shape-mismatch: incompatible dimensions at index 0: 64 and 32 (shapes [64] and [32]); each dimension must be equal or 1 on one side
#|   note: rows go down and columns go right: `(cols[None, :] < n_cols) & (rows[:, None] < n_rows)` has an element for each pair of them
#|   fix: write `(cols[None, :] < n_cols) & (rows[:, None] < n_rows)` | (cols[None, :] < n_cols) & (rows[:, None] < n_rows)
    tl.store(x_ptr + rows[:, None] * n_cols + cols[None, :], x, mask=mask)
