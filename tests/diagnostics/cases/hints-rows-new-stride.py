# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Rows of rows, of which nothing says how far they lie apart.
import triton
import triton.language as tl


@triton.jit
def pick(x, out, i):
    tl.store(out, x[i][3])
#|                ^^^^^^^ bad-argument: load its elements with `tl.load(x + i * stride_x + 3)`
#|   note: `stride_x` is the number of elements from one row of the array to the next: pass it as an argument
#|   fix: add the parameter `stride_x`, and write `tl.load(x + i * stride_x + 3)`
