# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Some turns of an expanded loop read nothing: the others read at the same place.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = [1]
# [args]
# x_ptr = { dtype = "fp32", shape = [16], init = "randn" }
# y_ptr = { dtype = "fp32", shape = [16], init = "empty", expected = "x_ptr" }
# ///


@triton.jit
def k(x_ptr, y_ptr):
    i = tl.arange(0, 16)
    total = tl.zeros((16,), tl.float32)
    for turn in tl.static_range(3):
        total += tl.load(x_ptr + i + 16 * turn, mask=i + 16 * turn < 16, other=0.0)
    for turn in tl.static_range(2):
        tl.store(y_ptr + i + 16 * turn, total, mask=i + 16 * turn < 16)
    # In all turns.
    for turn in tl.static_range(2):
        tl.store(y_ptr + i, total, mask=i + 16 * turn > 31)
#|      ^~ run-undefined: was false for every element of every program
