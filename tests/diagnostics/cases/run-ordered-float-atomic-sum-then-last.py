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
# x_ptr = { dtype = "fp32", shape = [16, 64], init = "randn" }
# acc_ptr = { dtype = "fp32", shape = [64], init = "zeros" }
# count_ptr = { dtype = "i32", shape = [1], init = "zeros" }
# y_ptr = { dtype = "fp32", shape = [64], expected = "sum(x_ptr, axis=0)" }
# ///


@triton.jit
def k(x_ptr, acc_ptr, count_ptr, y_ptr):
    i = tl.arange(0, 64)
    tl.atomic_add(acc_ptr + i, tl.load(x_ptr + tl.program_id(0) * 64 + i), sem="relaxed")
    if tl.atomic_add(count_ptr, 1) == tl.num_programs(0) - 1:
        tl.store(y_ptr + i, tl.load(acc_ptr + i))
