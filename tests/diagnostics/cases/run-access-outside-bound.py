# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# One of two loads along an axis bounds it, the other one does not.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = [1]
# [args]
# a_ptr = { dtype = "fp32", shape = [16, 20], init = "randn" }
# b_ptr = { dtype = "fp32", shape = [20, 16], init = "randn" }
# c_ptr = { dtype = "fp32", shape = [16, 16] }
# K = 20
# N = 16
# ///


@triton.jit
def k(a_ptr, b_ptr, c_ptr, K, N):
    rm = tl.arange(0, 16)
    rn = tl.arange(0, 16)
    rk = tl.arange(0, 16)
    acc = tl.zeros((16, 16), tl.float32)
    for k in range(0, K, 16):
        a_mask = rk[None, :] < K - k
        a = tl.load(a_ptr + rm[:, None] * K + k + rk[None, :], mask=a_mask, other=0.0)
        b = tl.load(b_ptr + (k + rk)[:, None] * N + rn[None, :], mask=rn[None, :] < N, other=0.0)
#|          ^~ run-access-outside: its `mask` does not bound `rk`, as line 29 does by `rk[None, :] < K - k`
        acc += tl.dot(a, b)
    tl.store(c_ptr + rm[:, None] * N + rn[None, :], acc)
