# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A parameter that is missing is not a misspelling of the one beside it.
import triton
import triton.language as tl


@triton.jit
def k(x_ptr, out_ptr, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i)
    y = tl.load(y_ptr + i)
#|              ^^^^^ undefined-name: `y_ptr` is not defined
#|   note: did you mean `x_ptr`?
#|   fix: add the parameter `y_ptr` | , y_ptr
#|   fix: write `x_ptr` | x_ptr
    tl.store(out_ptr + i, x + y)
