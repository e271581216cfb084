# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A mask of rows and columns as Python joins them.
import triton
import triton.language as tl


@triton.jit
def k(x_ptr, n_rows, n_cols):
    rows = tl.arange(0, 32)
    cols = tl.arange(0, 64)
    mask = rows < n_rows and cols < n_cols
#|         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ shape-mismatch: incompatible dimensions at index 0: 32 and 64 (shapes [32] and [64]); each dimension must be equal or 1 on one side
#|   note: rows go down and columns go right: `(rows[:, None] < n_rows) & (cols[None, :] < n_cols)` has an element for each pair of them
#|   fix: write `(rows[:, None] < n_rows) & (cols[None, :] < n_cols)` | (rows[:, None] < n_rows) & (cols[None, :] < n_cols)
