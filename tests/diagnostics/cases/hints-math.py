# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Python's `math` of a block, without its import.
import triton
import triton.language as tl


@triton.jit
def k(x, out, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    a = tl.load(x + i, mask=i < n)
    b = math.sqrt(a)
#|      ^^^^ undefined-name: `math` is not defined
#|   note: kernels cannot use Python's `math` of values at run time
#|   note: kernels have `tl.sqrt`
#|   fix: write `tl.sqrt` | tl.sqrt
    c = math.exp(a - tl.max(a))
#|      ^^^^ undefined-name: `math` is not defined
#|   fix: write `tl.exp` | tl.exp
