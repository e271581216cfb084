# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Rows lie as far apart as they are long in this launch alone: the bound is what nothing uses yet.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = ["cdiv(M, B)", "cdiv(N, B)"]
# [sizes]
# M = 40
# N = 50
# [args]
# y_ptr = { dtype = "fp32", shape = ["M", "N"] }
# sm = "N"
# [constexprs]
# B = 16
# ///


@triton.jit
def k(y_ptr, M, N, sm, B: tl.constexpr):
    rm = tl.program_id(0) * B + tl.arange(0, B)
    rn = tl.program_id(1) * B + tl.arange(0, B)
    tl.store(y_ptr + rm[:, None] * sm + rn[None, :], rn[None, :] + rm[:, None], mask=rm[:, None] < M)
#|  ^~ run-access-outside: its `mask` must be `(rm[:, None] < M) & (rn[None, :] < N)`
#|   fix: | (rm[:, None] < M) & (rn[None, :] < N)
#|  ^~ run-write-race: with another value
