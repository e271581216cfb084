# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A number in a kernel that calls its arrays by another name is one; a type as signatures write it is not.
import triton
import triton.language as tl


@triton.jit
def fill(y_ptr, n, v, BLOCK: tl.constexpr):
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + o, v, mask=o < n)
    tl.store(y_ptr + o, v.to(fp16), mask=o < n)
#|                           ^^^^ undefined-name: `fp16` is not defined
#|   note: did you mean `tl.float16`?
#|   fix: write `tl.float16`
