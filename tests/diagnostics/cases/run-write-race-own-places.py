# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# All programs store to the first element, where each could have one of its own.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = [4]
# [args]
# x_ptr = { dtype = "fp32", shape = [256], init = "arange" }
# out_ptr = { dtype = "fp32", shape = [4] }
# ///


@triton.jit
def k(x_ptr, out_ptr):
    x = tl.load(x_ptr + tl.program_id(0) * 64 + tl.arange(0, 64))
    tl.store(out_ptr, tl.max(x))
#|  ^~ run-write-race: by program 0; `tl.store(out_ptr + tl.program_id(0), tl.max(x))` gives each program an element of its own
#|   fix: write `tl.store(out_ptr + tl.program_id(0), tl.max(x))`
