# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Extents of a shape that are spread over several arguments, and shapes and types as in NumPy.
import triton
import triton.language as tl


#| set constexpr BM=16
#| set constexpr BN=32
#| set signature out=*fp32
@triton.jit
def k(out, BM: tl.constexpr, BN: tl.constexpr):
    a = tl.zeros(BM, BN, dtype=tl.float32)
#|               ^^^^^^ bad-call: `zeros` takes the shape as one argument, a tuple: `(BM, BN)`
#|   fix: write `(BM, BN)` | (BM, BN)
    b = tl.zeros(BM, 2 * BN, tl.float32)
#|               ^^^^^^^^^^ bad-call: `zeros` takes the shape as one argument, a tuple: `(BM, 2 * BN)`
#|   fix: write `(BM, 2 * BN)` | (BM, 2 * BN)
    c = tl.full(BM, BN, 1.0, dtype=tl.float32)
#|              ^^^^^^ bad-call: `full` takes the shape as one argument, a tuple: `(BM, BN)`
#|   fix: write `(BM, BN)` | (BM, BN)
    d = tl.full(BM, BN, 4, 0.5, tl.float32)
#|              ^^^^^^^^^ bad-call: `full` takes the shape as one argument, a tuple: `(BM, BN, 4)`
    e = tl.full(BM, 1.0, tl.float32)
#|              ^^ bad-call: `full` takes the shape as a list: `[BM]`
#|   fix: write `[BM]` | [BM]
    g = tl.zeros(BM)
#|               ^^ bad-call: `zeros` takes the shape as a list, and the type of the elements: `[BM], dtype=tl.float32`
#|   fix: write `[BM], dtype=tl.float32` | [BM], dtype=tl.float32
    p = tl.zeros(BM, BN)
#|               ^^^^^^ bad-call: `zeros` takes the shape as a list, and the type of the elements: `[BM, BN], dtype=tl.float32`
#|   fix: write `[BM, BN], dtype=tl.float32` | [BM, BN], dtype=tl.float32
    h = tl.zeros([BM])
#|      ^^^^^^^^^^^^^^ bad-call: `zeros` is missing the argument `dtype`, the type of the elements: `dtype=tl.float32`
#|   fix: add `dtype=tl.float32` | , dtype=tl.float32
    w = tl.zeros([BM], dtype="float32")
#|                           ^^^^^^^^^ bad-argument: must be a dtype such as `tl.float32`
#|   fix: write `tl.float32` | tl.float32
    u = tl.zeros([BM], float)
#|                     ^^^^^ bad-argument: must be a dtype such as `tl.float32`; `float` is Python's
#|   note: write `tl.float32`
#|   fix: write `tl.float32` | tl.float32
    f = tl.zeros((BM, BN), tl.float32)
    tl.store(out, tl.sum(e, 0) + tl.sum(tl.sum(f, 0), 0))
