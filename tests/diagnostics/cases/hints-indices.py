# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Blocks of indices whose bounds are known at run time only.
import triton
import triton.language as tl


#| set constexpr BLOCK=64
@triton.jit
def k(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    start = tl.program_id(0) * BLOCK
    i = tl.arange(start, start + BLOCK)
#|                ^^^^^ not-constexpr: `tl.arange` begins at a constexpr: add what is known at run time to the block, `start + tl.arange(0, BLOCK)`
#|   fix: write `start + tl.arange(0, BLOCK)` | start + tl.arange(0, BLOCK)
    pid = tl.program_id(0)
    own = tl.arange(pid*BLOCK, (pid+1)*BLOCK)
#|                  ^^^^^^^^^ not-constexpr: `tl.arange` begins at a constexpr: add what is known at run time to the block, `pid*BLOCK + tl.arange(0, BLOCK)`
#|   fix: write `pid*BLOCK + tl.arange(0, BLOCK)` | pid*BLOCK + tl.arange(0, BLOCK)
    other = tl.arange(BLOCK * pid, BLOCK * (1 + pid))
#|                    ^^^^^^^^^^^ not-constexpr: `BLOCK * pid + tl.arange(0, BLOCK)`
#|   fix: write `BLOCK * pid + tl.arange(0, BLOCK)` | BLOCK * pid + tl.arange(0, BLOCK)
    # Two blocks.
    both = tl.arange(pid * BLOCK, (pid + 2) * BLOCK)
#|                   ^^^^^^^^^^^ not-constexpr: the bounds of `tl.arange` must be `tl.constexpr`, and `pid * BLOCK` (int32) is known at run time
    j = tl.arange(0, n)
#|                   ^ not-constexpr: the number of indices must be a `tl.constexpr`, and `n` (int32) is known at run time: `tl.arange(0, BLOCK)`
#|   note: a mask keeps the indices within the array: `mask=j < n` of a load or store at `j`
#|   fix: write `BLOCK` | BLOCK
    k = start + range(BLOCK)
#|              ^^^^^^^^^^^^ unsupported-syntax: `range` counts a loop; a block of indices is `tl.arange(0, BLOCK)`
#|   fix: write `tl.arange(0, BLOCK)` | tl.arange(0, BLOCK)
    # Where it ends is known at run time, so that nothing but a block can be meant.
    cols = range(n)
#|         ^^^^^^^^ unsupported-syntax: `range` counts a loop; a block of indices is `tl.arange(0, BLOCK)`
#|   fix: write `tl.arange(0, BLOCK)` | tl.arange(0, BLOCK)
    rows = range(
#|         ^~ unsupported-syntax: `range` counts a loop; a block of indices is `tl.arange(0, BLOCK)`
#|   fix: write `tl.arange(0, BLOCK)` | tl.arange(0, BLOCK)
        n)
    tl.store(out_ptr, n)
