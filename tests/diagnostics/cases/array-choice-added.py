# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A choice binds less than the operator that adds it.
import triton
import triton.language as tl


@triton.jit
def k(x, out, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + i)
    out[i] += v if n > 3 else 0.0
#|  ^^^^^^ unsupported-syntax: store its elements with `tl.store(out + i, tl.load(out + i) + (v if n > 3 else 0.0))`
#|   note: pass `mask=`
#|   fix: | tl.store(out + i, tl.load(out + i) + (v if n > 3 else 0.0))
