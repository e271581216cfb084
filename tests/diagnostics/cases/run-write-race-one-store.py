# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = [1]
# [args]
# x_ptr = { dtype = "fp32", shape = [8], init = "arange" }
# y_ptr = { dtype = "fp32", shape = [4] }
# ///


@triton.jit
def k(x_ptr, y_ptr):
    i = tl.arange(0, 8)
    x = tl.load(x_ptr + i)
    tl.store(y_ptr + i // 2, x)
#|  ^~ run-write-race: writes `y_ptr[0]` twice
