# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


@triton.jit
def copy(x_ptr, y_ptr, BLOCK: constexpr):
#|                            ^^^^^^^^^ undefined-name: `constexpr` is not defined
#|   note: did you mean `tl.constexpr`?
#|   fix: write `tl.constexpr`
    i = tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(x_ptr + i))
