# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "compact"
# grid = [8]
# [args]
# x_ptr = { dtype = "i32", shape = [2048], init = "arange" }
# c_ptr = { dtype = "i32", shape = [1], init = "zeros" }
# o_ptr = { dtype = "i32", shape = [2048], init = "zeros", expected = "where(arange(2048) < 1024, arange(2048) * 2, 0)" }
# [constexprs]
# B = "256"
# ///


@triton.jit
def compact(x_ptr, c_ptr, o_ptr, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    x = tl.load(x_ptr + i)
    keep = (x % 2 == 0).to(tl.int32)
    at = tl.cumsum(keep, axis=0) - keep
    base = tl.atomic_add(c_ptr, tl.sum(keep, axis=0))
#|         ^~ run-write-race: what this atomic operation returns depends on the order in which programs run, and `o_ptr` with it: `o_ptr[0]` is 0, and 256 when they run in another order; on a GPU the order is chance
    tl.store(o_ptr + base + at, x, mask=keep > 0)
