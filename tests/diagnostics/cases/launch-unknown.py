# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


#| set launch other
#| set constexpr B=16
#| launch-unknown: there is no launch block `other`; the file has none
@triton.jit
def k(x_ptr, y_ptr, n, B: tl.constexpr):
    i = tl.arange(0, B)
    m = i < n
    x = tl.load(x_ptr + i, mask=m)
    tl.store(y_ptr + i, x, mask=m)
