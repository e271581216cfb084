# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Each program races with each other one, from both sides: as many are told as there are programs, not pairs.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = [8]
# [args]
# o_ptr = { dtype = "i32", shape = [4], init = "zeros" }
# ///


@triton.jit
def k(o_ptr):
    v = tl.load(o_ptr)
#|      ^~ run-write-race: `o_ptr[0]` is read by program 0 and changed by an atomic operation of program 1 in line 20: which comes first is chance; 
#|   note: the same in 6 more programs
    tl.atomic_xchg(o_ptr, v + tl.program_id(0))
