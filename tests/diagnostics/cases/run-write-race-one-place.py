# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# All programs store their sum to the one element that there is: only one of them is left.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = [4]
# [args]
# x_ptr = { dtype = "fp32", shape = [256], init = "arange" }
# out_ptr = { dtype = "fp32", shape = [1], expected = "sum(x_ptr)" }
# ///


@triton.jit
def k(x_ptr, out_ptr):
    pid = tl.program_id(0)
    x = tl.load(x_ptr + pid * 64 + tl.arange(0, 64))
    total = tl.sum(x)
    tl.store(out_ptr, total)
#|  ^~ run-write-race: by program 0; `tl.atomic_add(out_ptr, total)` adds up what all programs have
#|   note: a sum begins with 0: `init = "zeros"` in the launch block, if it is not there yet
#|   fix: write `tl.atomic_add(out_ptr, total)`
