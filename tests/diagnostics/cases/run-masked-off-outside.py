# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = [1]
# [args]
# x_ptr = { dtype = "fp32", shape = [32], init = "arange" }
# y_ptr = { dtype = "fp32", shape = [32] }
#| @3-8 run-undefined: `y_ptr` was never written
# ///


@triton.jit
def k(x_ptr, y_ptr):
    i = tl.arange(0, 32)
    # It wrote nothing, but not because of a mask.
    tl.store(y_ptr + 32 + i, tl.load(x_ptr + i))
#|  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ run-access-outside: program 0 writes `y_ptr[32…63]`, past its last element 31; add `mask=32 + i < 32`
