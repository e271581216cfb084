# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i)
    return 2 * x
#|  ^^^^^^^^^^^^ return-type: `kernel` returns a value, but a kernel returns nothing: store the result with `tl.store`
#|   note: only a function that a kernel calls
#|   fix: add the parameter `out_ptr`, and store there: `tl.store(out_ptr + i, 2 * x)`
