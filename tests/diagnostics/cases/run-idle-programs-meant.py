# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Programs that share out few blocks in turns, and ones that end where nothing is left, are meant to be idle.
import triton
import triton.language as tl


#| set do run
#| set nothing
# /// tilescope
# kernel = "add"
# grid = [132]
# [sizes]
# n = 1000
# [args]
# x_ptr = { dtype = "fp32", shape = ["n"], init = "randn" }
# out_ptr = { dtype = "fp32", shape = ["n"] }
# [constexprs]
# BLOCK = 256
# PROGRAMS = 132
# ///


@triton.jit
def add(x_ptr, out_ptr, n, BLOCK: tl.constexpr, PROGRAMS: tl.constexpr):
    for tile in range(tl.program_id(0), tl.cdiv(n, BLOCK), PROGRAMS):
        i = tile * BLOCK + tl.arange(0, BLOCK)
        tl.store(out_ptr + i, tl.load(x_ptr + i, mask=i < n) + 1.0, mask=i < n)
