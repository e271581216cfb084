# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# The mask that a load lacks comes with what a product, or a maximum, may see of the elements that it leaves out.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "matmul"
# grid = [1]
# [args]
# a = { dtype = "fp16", shape = [16, 24], init = "randn" }
# b = { dtype = "fp16", shape = [24, 16], init = "randn", seed = 1 }
# c = { dtype = "fp32", shape = [16, 16] }
# x = { dtype = "fp32", shape = [24], init = "randn", seed = 2 }
# y = { dtype = "fp32", shape = [1] }
# K = 24
# ///


@triton.jit
def matmul(a, b, c, x, y, K):
    i = tl.arange(0, 16)
    k = tl.arange(0, 32)
    u = tl.load(a + i[:, None] * K + k[None, :], mask=k[None, :] < K, other=0.0)
    v = tl.load(b + k[:, None] * 16 + i[None, :])
#|      ^~ run-access-outside: past its last element [23, 15]
    tl.store(c + i[:, None] * 16 + i[None, :], tl.dot(u, v))
    w = tl.load(x + k)
#|      ^~ run-access-outside: add `mask=k < K, other=float("-inf")`
#|   fix: add `mask=k < K, other=float("-inf")` | , mask=k < K, other=float("-inf")
    tl.store(y, tl.max(w, axis=0))
