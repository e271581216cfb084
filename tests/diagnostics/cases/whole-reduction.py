# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Without an axis a reduction takes all of a matrix, and leaves one number.
import triton
import triton.language as tl


#| set kernel k
@triton.jit
def k(x_ptr, y_ptr, z_ptr, n, M: tl.constexpr, N: tl.constexpr):
    rows = tl.program_id(0) * M + tl.arange(0, M)
    cols = tl.arange(0, N)
    x = tl.load(x_ptr + rows[:, None] * n + cols[None, :], mask=cols[None, :] < n, other=0.0)
    tl.store(y_ptr + rows, tl.sum(x))
#|                         ^^^^^^^^^ bad-argument: `tl.sum(x)` is one number for all of `x`, which each of the
#|   fix: | tl.sum(x, axis=1)
    # One number for one element, and one for each row.
    tl.store(z_ptr + tl.program_id(0), tl.sum(x))
    tl.store(y_ptr + rows, tl.sum(x, axis=1))
