# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# What is expected, in NumPy's functions.
import triton
import triton.language as tl


# /// tilescope
# kernel = "k"
# grid = [1]
# [args]
# x = { dtype = "fp32", shape = [64], init = "randn" }
# y = { dtype = "fp32", shape = [64], expected = "np.add(x, x)" }
#|                                               ^^^^^^^^^^^^^^ launch-block-invalid: is not a function that can be used here; write `a + b`
#|   fix: write `"x + x"` | "x + x"
# ///


@triton.jit
def k(x, y):
    i = tl.arange(0, 64)
    tl.store(y + i, tl.load(x + i) * 2)
