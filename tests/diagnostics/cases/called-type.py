# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A type that is called, as NumPy's may be.
import triton
import triton.language as tl


@triton.jit
def k(x, out, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(out + i, tl.load(x + i) * tl.float32(0.5))
#|                                     ^^^^^^^^^^^^^^^ unsupported-syntax: a call of the type `tl.float32`: Triton does not compile this
#|   note: kernels write `0.5`
#|   fix: write `0.5` | 0.5
