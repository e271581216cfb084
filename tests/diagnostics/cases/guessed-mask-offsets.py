# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Offsets given as a mask.
import triton
import triton.language as tl


@triton.jit
def offsets_alone(x, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(x + i, 1.0, mask=i)
#|                            ^ type-mismatch: mask must have boolean scalar type, got int32[1024]
#|   note: a mask is a comparison, as in `i < n`
