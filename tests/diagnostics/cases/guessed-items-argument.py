# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# An item whose number is an argument is an element of an array, too: a tuple has no such items.
import triton
import triton.language as tl


@triton.jit
def pick(x, out, i):
    tl.store(out, x[i][3])
#|                ^^^^^^^ bad-argument: `x` is a pointer and cannot be indexed: load its elements with `tl.load(x + i * stride_x + 3)`
#|   note: `stride_x` is the number of elements from one row of the array to the next: pass it as an argument
