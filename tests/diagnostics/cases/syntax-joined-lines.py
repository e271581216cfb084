# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Where the end of a line was deleted, what the second line assigns is not said to be undefined below.
import triton
import triton.language as tl


#| set signature x_ptr=*fp32,out_ptr=*fp32,n_cols=i32
@triton.jit
def in_a_word(x_ptr, out_ptr, n_cols):
    x = tl.load(x_ptr + tl.arange(0, 64))
    mean = tl.sum(x, axis=0) / n_colsy = x * mean
#|         ^^^^^^^^^^^^^^^^^^^^^^^^^^^ syntax-invalid-target: cannot assign to an expression
#|   fix: begin a line with `y`
    tl.store(out_ptr + tl.arange(0, 64), y)
