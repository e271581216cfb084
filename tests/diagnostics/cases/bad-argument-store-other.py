# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A store that is given what a load has.
import triton
import triton.language as tl


@triton.jit
def k(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, i < n, 0.0)
    tl.store(out_ptr + i, x, i < n, 0.0)
#|                                  ^^^ bad-argument: a store has no `other`: elements that its `mask` leaves out are not written
#|   note: leave the argument out
