# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A row count of one would let the missing `[:, None]` pass.
import triton
import triton.language as tl


@triton.jit
def k(x_ptr, n_cols, ROWS: tl.constexpr):
    tl.static_assert(ROWS < 16)
    rows = tl.arange(0, ROWS)
    columns = tl.arange(0, 128)
    at = rows * n_cols + columns
#|       ^^^^^^^^^^^^^^^^^^^^^^^ shape-mismatch: 128
    tl.store(x_ptr + at, 0.0, mask=columns < n_cols)
