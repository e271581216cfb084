# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = [8]
# [args]
# x_ptr = { dtype = "fp32", shape = [256], init = "arange" }
# ///


@triton.jit
def k(x_ptr):
    i = tl.program_id(0) * 32 + tl.arange(0, 32)
    v = tl.load(x_ptr + i)
#|      ^~ run-write-race: : which comes first is chance; store to another tensor than `x_ptr`
    tl.store(x_ptr + (i + 32) % 256, v + 1)
