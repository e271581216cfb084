# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# The mask of a block where one number is written.
import triton
import triton.language as tl


@triton.jit
def k(x, out, n, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.load(x + i, mask=i < n, other=0.0)
    tl.store(out + tl.program_id(0), tl.sum(v), mask=i < n)
#|                                                   ^^^^^ shape-mismatch: `i < n` is a block of 1024, and what is written is one number at one address: leave the mask out
#|   fix: leave the mask out
    tl.atomic_add(out, tl.sum(v), mask=i < n)
#|                                     ^^^^^ shape-mismatch: `i < n` is a block of 1024, and what is written is one number at one address: leave the mask out
#|   fix: leave the mask out
