# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A list that is made only to be summed up.
import triton
import triton.language as tl


#| set constexpr B=64
@triton.jit
def k(x_ptr, out_ptr, n, B: tl.constexpr):
    i = tl.arange(0, B)
    parts = []
    for j in range(0, n, B):
        parts.append(tl.load(x_ptr + j + i))
#|            ^^^^^^ unknown-attribute: has no attribute `append`
#|   fix: add up in place of a list: begin with `parts = tl.zeros([B], dtype=tl.float32)`, then `parts += …`
    tl.store(out_ptr, tl.sum(parts))
