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
# sum_ptr = { dtype = "fp32", shape = [1], init = "randn" }
# ///


@triton.jit
def k(x_ptr, sum_ptr):
    pid = tl.program_id(0)
    if pid == 0:
        tl.store(sum_ptr, 0.0)
#|      ^~ run-write-race: : which comes first is chance; set `sum_ptr` before the launch, or use atomic operations alone
    x = tl.load(x_ptr + pid * 32 + tl.arange(0, 32))
    tl.atomic_add(sum_ptr, tl.sum(x, axis=0))
