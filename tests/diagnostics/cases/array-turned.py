# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# The second place of a transpose has the vectors along the axes that they have in the mask and in the load.
import triton
import triton.language as tl


@triton.jit
def transpose(x, out, M, N, B: tl.constexpr):
    r = tl.program_id(0) * B + tl.arange(0, B)
    c = tl.program_id(1) * B + tl.arange(0, B)
    m = (r < M)[:, None] & (c < N)[None, :]
    v = tl.load(x + r[:, None] * N + c[None, :], mask=m)
    out[c, r] = v
#|  ^~~~~~~~~ unsupported-syntax: `out` is a pointer and cannot be indexed: store its elements with `tl.store(out + c[None, :] * M + r[:, None], v)`
#|   note: that is right where rows lie side by side, `M` elements each
#|   note: pass `mask=` where offsets can lie past the end of the array
#|   fix: write `tl.store(out + c[None, :] * M + r[:, None], v)`
