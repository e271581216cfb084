# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# What a loop advances by is the size of a block, though another parameter is a constexpr.
import triton
import triton.language as tl


@triton.jit
def matvec(a_ptr, x_ptr, y_ptr, M, N, BM: tl.constexpr, BN):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    acc = tl.zeros([BM], dtype=tl.float32)
    for k in range(0, N, BN):
        cols = k + tl.arange(0, BN)
#|                              ^~ not-constexpr: the bounds of `tl.arange` must be `tl.constexpr`, and `BN` (int32) is known at run time
#|   note: `BN` is an argument at run time: declare the parameter as `BN: tl.constexpr`
#|   fix: make `BN` a constexpr
        a = tl.load(a_ptr + rows[:, None] * N + cols[None, :], mask=rows[:, None] < M)
        acc += tl.sum(a * tl.load(x_ptr + cols)[None, :], axis=1)
    tl.store(y_ptr + rows, acc, mask=rows < M)
