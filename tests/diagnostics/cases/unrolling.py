# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


#| set to ptx
#| set constexpr BLOCK=1024
#| set option num_warps=1
#| set signature p=*fp32:16
@triton.jit
def k(p, BLOCK: tl.constexpr):
    rows = tl.arange(0, BLOCK)[:, None]
    at = rows * BLOCK + tl.arange(0, BLOCK)[None, :]
#|       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ out-of-resources: out of resource: every thread would execute about
#|   note: elements of a block of int32[1024, 1024]
#|   note: more warps
#|   note: sizes among the arguments: `BLOCK` = 1024
    x = tl.load(p + at)
    tl.store(p + at, x * x + x)
