# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Where the end of a line was deleted, what the second line assigns is not said to be undefined below.
import triton
import triton.language as tl


#| set signature x_ptr=*fp32,out_ptr=*fp32
@triton.jit
def behind_a_bracket(x_ptr, out_ptr):
    x = tl.load(x_ptr + tl.arange(0, 64))y = x * 2
#|                                       ^ syntax-expected-token: expected end of line, found `y`
#|   fix: begin a line with `y`
    tl.store(out_ptr + tl.arange(0, 64), y)
