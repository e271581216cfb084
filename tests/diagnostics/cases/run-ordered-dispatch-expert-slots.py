# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


#| set do run
#| set nothing
# /// tilescope
# kernel = "k"
# grid = [4]
# [args]
# e_ptr = { dtype = "i32", shape = [64], init = "randint", high = 4 }
# c_ptr = { dtype = "i32", shape = [4], init = "zeros" }
# ///


@triton.jit
def k(e_ptr, c_ptr):
    e = tl.load(e_ptr + tl.program_id(0) * 16 + tl.arange(0, 16))
    tl.atomic_add(c_ptr + e, 1)
