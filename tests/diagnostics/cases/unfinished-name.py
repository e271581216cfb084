# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A dot without a name is one mistake, not two.
import triton
import triton.language as tl


#| set signature x_ptr=*fp32
@triton.jit
def k(x_ptr):
    i = tl.arange(0, 64)
    a = tl.dot(i, i.)
#|                  ^ syntax-expected-token: expected a name after `.`
    tl.store(x_ptr + i, 1.0)
