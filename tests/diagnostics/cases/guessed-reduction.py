# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# No launch passes a block: what is summed up was not loaded.
import triton
import triton.language as tl


@triton.jit
def k(x, out, n):
    tl.store(out, tl.sum(x, axis=0) / n)
#|                @19-36 type-mismatch: `sum` needs blocks, got pointer<fp32>
#|   note: `x` is a pointer: `tl.load(x + tl.arange(0, BLOCK), mask=tl.arange(0, BLOCK) < n)` loads a block of what it points to
#|   note: `BLOCK` is how many numbers a block holds, a power of 2: add the parameter `BLOCK: tl.constexpr`
