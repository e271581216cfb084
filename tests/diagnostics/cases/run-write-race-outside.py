# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Rows that overlap: each is told of once, with its own coordinates.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = [3]
# [args]
# y_ptr = { dtype = "fp32", shape = [3, 12] }
# ///


@triton.jit
def k(y_ptr):
    row = tl.program_id(0)
    i = tl.arange(0, 16)
    tl.store(y_ptr + row * 12 + i, row + 0.0)
#|  ^~ run-write-race: element 12 of `y_ptr` is written by
#|   note: `y_ptr` has the shape [3, 12]: there it is [1, 0]
#|  ^~ run-access-outside: program 2 writes `y_ptr[36…39]`, past its last element 35
#|   note: `y_ptr` has the shape [3, 12]: there it is [3, 0] to [3, 3]
