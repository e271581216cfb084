# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "relu"
# grid = [1]
# [args]
# a = { dtype = "fp32", shape = [64] }
#| @3-4 run-undefined: `a` is read, but holds no values: give it some with `init = "randn"`
#|   fix: give `a` values: `init = "randn"` | , init = "randn"
# k = { dtype = "i32", shape = [64], init = "empty" }
#| @3-4 run-undefined: `k` is read, but holds no values: give it some with `init = "randint"`
#|   fix: give `k` values: `init = "randint"` | "randint"
# res = { dtype = "fp32", shape = [64] }
# ///


@triton.jit
def relu(a, k, res):
    i = tl.arange(0, 64)
    x = tl.load(a + i)
    tl.store(res + i, tl.where(x > 0, x, 0.0) + tl.load(k + i))
