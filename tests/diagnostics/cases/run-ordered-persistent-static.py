# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


#| set do run
#| set nothing
# /// tilescope
# kernel = "k"
# grid = [8]
# [args]
# x_ptr = { dtype = "fp32", shape = [64, 32], init = "randn" }
# y_ptr = { dtype = "fp32", shape = [64, 32], expected = "x_ptr * 2" }
# n = 64
# ///


@triton.jit
def k(x_ptr, y_ptr, n):
    j = tl.arange(0, 32)
    for tile in tl.range(tl.program_id(0), n, tl.num_programs(0)):
        i = tile * 32 + j
        tl.store(y_ptr + i, tl.load(x_ptr + i) * 2)
