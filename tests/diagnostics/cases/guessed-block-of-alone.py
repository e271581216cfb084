# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# The only function of a file is the kernel, also where it does not ask for its program.
import triton
import triton.language as tl


@triton.jit
def row_mean(x, out, rows, cols, stride_x):
    for i in range(rows):
        tl.store(out + i, tl.sum(tl.load(x + i * stride_x + cols), axis=0) / cols)
#|                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ type-mismatch: `sum` needs blocks, got fp32
#|   note: a block of numbers is `tl.load(x + i * stride_x + tl.arange(0, BLOCK), mask=tl.arange(0, BLOCK) < cols)`
