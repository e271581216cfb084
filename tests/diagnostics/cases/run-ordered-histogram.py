# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


#| set do run
#| set nothing
# /// tilescope
# kernel = "k"
# grid = [16]
# [args]
# x_ptr = { dtype = "i32", shape = [1024], init = "randint", high = 16 }
# h_ptr = { dtype = "i32", shape = [16], init = "zeros" }
# ///


@triton.jit
def k(x_ptr, h_ptr):
    x = tl.load(x_ptr + tl.program_id(0) * 64 + tl.arange(0, 64))
    tl.atomic_add(h_ptr + x, 1, sem="relaxed")
