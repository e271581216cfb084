# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# The same of an address, in which only the product says what counts rows.
import triton
import triton.language as tl


@triton.jit
def k(x_ptr, n_cols):
    rows = tl.arange(0, 32)
    cols = tl.arange(0, 64)
    at = cols + rows * n_cols
#|       ^^^^^^^^^^^^^^^^^^^^ shape-mismatch: incompatible dimensions at index 0: 64 and 32 (shapes [64] and [32]); each dimension must be equal or 1 on one side
#|   note: `cols[None, :] + rows[:, None] * n_cols` has an element for each pair of them
#|   fix: write `cols[None, :] + rows[:, None] * n_cols`
    tl.store(x_ptr + at, 0.0)
