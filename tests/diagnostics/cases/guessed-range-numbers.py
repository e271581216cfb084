# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Python's `range` in the place of a block of indices.
import triton
import triton.language as tl


@triton.jit
def of_numbers(x, out):
    i = range(0, 1024)
#|      ^^^^^^^^^^^^^^ unsupported-syntax: a block of indices is `tl.arange(0, 1024)`
#|   fix: write `tl.arange(0, 1024)` | tl.arange(0, 1024)
    a = tl.load(x + i)
    tl.store(out + i, a)
