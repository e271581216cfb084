# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Loads without a name are told apart by what they load.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = [1]
# [sizes]
# n = 64
# [args]
# x_ptr = { dtype = "fp32", shape = ["n"], init = "randn" }
# y_ptr = { dtype = "fp32", shape = ["n"] }
# n = "n"
# [constexprs]
# B = "64"
# ///


@triton.jit
def k(x_ptr, y_ptr, n, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(y_ptr + i, tl.load(x_ptr + i - 1, mask=i > 0) + tl.load(x_ptr + i + 1, mask=i + 1 < n))
#|  ^~ run-undefined: a masked-off load left undefined
#|   from: elements at `x_ptr + i - 1` that its `mask` leaves out are undefined
#|   from: elements at `x_ptr + i + 1` that its `mask` leaves out are undefined
#|   fix: add `other=0.0` to the load at `x_ptr + i - 1` | , other=0.0
