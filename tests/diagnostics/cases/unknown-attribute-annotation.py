# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


@triton.jit
def copy(x_ptr, y_ptr, BLOCK: tl.constexp):
#|                               ^^^^^^^^ unknown-attribute: module `triton.language` has no attribute `constexp`
#|   note: did you mean `constexpr`?
#|   fix: write `constexpr`
    i = tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(x_ptr + i))
