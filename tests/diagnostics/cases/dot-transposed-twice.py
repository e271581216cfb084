# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# The factor is transposed, of which the product is what it is added to.
import triton
import triton.language as tl


@triton.jit
def k(x_ptr):
    y = tl.zeros((64, 32), tl.float16)
    x = tl.zeros((32, 64), tl.float16)
    acc = tl.zeros((64, 64), tl.float32)
    acc = tl.dot(x, y.T, acc)
#|                  ^^^ shape-mismatch: are not compatible for matmul
#|   note: transpose the first input: `tl.trans`, or `.T`
#|   fix: write `tl.trans(x)` | tl.trans(x)
    z = tl.dot(y, y.T.T)
#|                ^^^^^ shape-mismatch: are not compatible for matmul
#|   note: the second input is right without its transposition
#|   fix: write `y.T` | y.T
    tl.store(x_ptr, 1.0)
