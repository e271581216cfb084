# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A list that cannot grow: what is done with it afterwards is no mistake of its own.
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
#|   note: a list of a kernel is a tuple, whose length stays
    tl.store(out_ptr, tl.sum(parts))
    items = (1, 2)
    tl.store(out_ptr, tl.sum(items))
#|                    ^^^^^^^^^^^^^ type-mismatch: `sum` needs a block, got tuple<int32
