# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Lines of a kernel in front of it.
import triton
import triton.language as tl

BLOCK = 64
NUM = BLOCK * 2
tl.store(out_ptr + row, tl.mean(x, 1))
#| @1-39 undefined-name: this line is in front of `k`, where `out_ptr` is defined, and not in it
#|   note: Python stops here: the name `out_ptr` is not defined


@triton.jit
def k(x_ptr, out_ptr):
    row = tl.program_id(0)
    x = tl.load(x_ptr + row)
    tl.store(out_ptr + row, x)
