# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Nothing is known of `out`, and the kernel stores nothing: what is only given values is an array.
import triton
import triton.language as tl


#| set constexpr BLOCK=64
@triton.jit
def row_mean(x, out, rows, cols, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    v = tl.load(x + r * cols + c, mask=c < cols, other=0.0)
    m = tl.sum(v) / cols
    out = m
#|  ^^^^^^^ unused-result: this gives the name `out` another value and writes nothing to memory: `tl.store(out + r, m)`
#|   fix: write `tl.store(out + r, m)` | tl.store(out + r, m)
