# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A variable takes the name of the module.
import triton
import triton.language as tl


@triton.jit
def k(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    tl = 3
#|  ^^ unsupported-syntax: this gives the name `tl` of the module `triton.language` another value
#|   from: the module is used here
    x = tl.load(x_ptr + i, mask=m)
    tl.store(out_ptr + i, x, mask=m)
