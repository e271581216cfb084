# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Rows and columns that are combined as if both had one axis.
import triton
import triton.language as tl


#| set constexpr BM=16
#| set constexpr BN=64
@triton.jit
def k(x_ptr, out_ptr, M, N, BM: tl.constexpr, BN: tl.constexpr):
    rows = tl.arange(0, BM)
    cols = tl.arange(0, BN)
    offs = rows * N + cols
#|         ^^^^^^^^^^^^^^^ shape-mismatch: incompatible dimensions at index 0: 16 and 64
#|   note: rows go down and columns go right: `rows[:, None] * N + cols[None, :]`
#|   fix: write `rows[:, None] * N + cols[None, :]`
    mask = (rows < M) & (cols < N)
#|         ^^^^^^^^^^^^^^^^^^^^^^^ shape-mismatch: incompatible dimensions at index 0: 16 and 64
#|   fix: write `(rows[:, None] < M) & (cols[None, :] < N)`
    others = tl.arange(0, BN)
    t = tl.load(x_ptr + others * N + cols)
    s = tl.sum(t, axis=1)
#|                     ^ bad-argument: `t` has one axis: write `axis=0`
#|   note: a block with rows and columns is loaded at `others[:, None]` and `cols[None, :]`
    tl.store(out_ptr + cols, cols)
