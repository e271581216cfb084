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
#|  ^~ run-write-race: `y_ptr[1, 0]` is written by
#|  ^~ run-access-outside: program 2 writes `y_ptr[3, 0]` to `y_ptr[3, 3]`, past its last element [2, 11]
