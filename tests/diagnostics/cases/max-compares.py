# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# `tl.max` reduces; `tl.maximum` compares.
import triton
import triton.language as tl


@triton.jit
def k(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    y = tl.load(y_ptr + i, mask=i < n, other=0.0)
    tl.store(out_ptr + i, tl.max(x, 0.0), mask=i < n)
#|                                  ^^^ bad-argument: `tl.max` reduces one block along an axis: `tl.maximum(x, 0.0)` compares two values
#|   fix: write `tl.maximum(x, 0.0)` | tl.maximum(x, 0.0)
    tl.store(out_ptr + i, tl.min(x, y), mask=i < n)
#|                                  ^ bad-argument: `tl.min` reduces one block along an axis: `tl.minimum(x, y)` compares two values
#|   fix: write `tl.minimum(x, y)` | tl.minimum(x, y)
    tl.store(out_ptr + i, tl.max(x, 0), mask=i < n)
#|                        ^^^^^^^^^^^^ bad-argument: `tl.max(x, 0)` is one number, the largest element of its block, which each of the
#|   fix: write `tl.maximum(x, 0)` | tl.maximum(x, 0)
    low = tl.min(x + y, 0)
#|        ^^^^^^^^^^^^^^^^ bad-argument: elements gets: `tl.minimum(x + y, 0)` compares each element with 0
#|   fix: write `tl.minimum(x + y, 0)`
    tl.store(out_ptr + i, low, mask=i < n)
    # Reductions as they are meant.
    tl.store(out_ptr + i, x - tl.max(x, 0), mask=i < n)
    tl.store(out_ptr + i, tl.max(x, axis=0), mask=i < n)
    tl.store(out_ptr + tl.program_id(0), tl.max(x, 0))
