# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A mask that has a name, and that nothing takes yet.
import triton
import triton.language as tl


@triton.jit
def k(x_ptr, y_ptr, n, BLOCK: tl.constexpr = 128):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    x = x_ptr[offs]
#|      ^^^^^^^^^^^ bad-argument: load its elements with `tl.load(x_ptr + offs, mask=mask)`
#|   fix: write `tl.load(x_ptr + offs, mask=mask)`
    y_ptr[offs] = 2 * offs
#|  ^~ unsupported-syntax: store its elements with `tl.store(y_ptr + offs, 2 * offs, mask=mask)`
#|   fix: write `tl.store(y_ptr + offs, 2 * offs, mask=mask)`
