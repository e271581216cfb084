# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# The line that stores the result was forgotten.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# grid = [1]
# [args]
# x_ptr = { dtype = "fp32", shape = [16], init = "arange" }
# y_ptr = { dtype = "fp32", shape = [16], init = "zeros" }
# ///


@triton.jit
def scaled(x, factor):
    return x * factor


@triton.jit
def k(x_ptr, y_ptr):
#|  ^ run-undefined: the kernel `k` does not store anything: a run leaves every argument unchanged
#|   note: results are written with `tl.store(pointer, value)`
    i = tl.arange(0, 16)
    y = tl.zeros([16], dtype=tl.float32)
    for _ in range(3):
        y += scaled(tl.load(x_ptr + i), 2.0)
