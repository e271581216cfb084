# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# What the copies of an unrolled loop do is told once, with the elements.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = [4]
# [args]
# x_ptr = { dtype = "fp32", shape = [128], init = "arange" }
# out_ptr = { dtype = "fp32", shape = [64] }
# ///


@triton.jit
def k(x_ptr, out_ptr):
    offs = tl.arange(0, 16)
    for i in tl.static_range(4):
        x = tl.load(x_ptr + offs + i * 32)
        tl.store(out_ptr + offs + i * 16, x + tl.program_id(0))
#|      ^~ run-write-race: `out_ptr[0]` is written by program
#|   note: more programs
#|   note: the same in 3 more copies of this statement, at `out_ptr[16]` to `out_ptr[48]`
