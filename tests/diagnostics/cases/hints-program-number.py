# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# The number of the program was never asked for.
import triton
import triton.language as tl


@triton.jit
def k(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = pid * BLOCK + tl.arange(0, BLOCK)
#|      ^^^ undefined-name: `pid` is not defined
#|   note: the number of the program is `pid = tl.program_id(0)`
#|   fix: begin with `pid = tl.program_id(0)`
#|   fix: add the parameter `pid`
    tl.store(out_ptr + i, tl.load(x_ptr + i, mask=i < n), mask=i < n)
