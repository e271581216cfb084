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
