# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# What is expected, by a function that expressions write as a formula.
import triton
import triton.language as tl


# /// tilescope
# kernel = "k"
# grid = [1]
# [args]
# x_ptr = { dtype = "fp32", shape = [16], init = "randn" }
# y_ptr = { dtype = "fp32", shape = [64], init = "randn" }
# out_ptr = { dtype = "fp32", shape = [16, 64], expected = "np.outer(x_ptr, y_ptr)" }
#|                                                         ^^^^^^^^^^^^^^^^^^^^^^^^ launch-block-invalid: `outer` is not a function that can be used here; write `x_ptr[:, None] * y_ptr[None, :]`
#|   fix: write `"x_ptr[:, None] * y_ptr[None, :]"` | "x_ptr[:, None] * y_ptr[None, :]"
# ///


@triton.jit
def k(x_ptr, y_ptr, out_ptr):
    i = tl.arange(0, 16)[:, None]
    j = tl.arange(0, 64)[None, :]
    tl.store(out_ptr + i * 64 + j, tl.load(x_ptr + i) * tl.load(y_ptr + j))
