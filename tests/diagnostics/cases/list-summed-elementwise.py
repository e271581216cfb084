# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Python's `sum` of a list adds its blocks, so adding up leaves nothing to sum: `tl.sum` would make one number of each
# block.
import triton
import triton.language as tl


#| set constexpr W=5
#| set constexpr B=64
@triton.jit
def k(x_ptr, out_ptr, n, W: tl.constexpr, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    window = []
    for j in range(W):
        window.append(tl.load(x_ptr + i + j))
#|             ^^^^^^ unknown-attribute: has no attribute `append`
#|   fix: add up in place of a list: begin with `window = tl.zeros([B], dtype=tl.float32)`, then `window += …`
    total = sum(window)
#|          ^^^ unsupported-syntax: Python's `sum` in a kernel: Triton does not compile this
#|   note: `tl.sum` adds the elements of a block, not those of a list
    tl.store(out_ptr + i, total / W)
