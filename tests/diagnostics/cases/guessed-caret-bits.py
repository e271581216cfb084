# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# An exclusive or of what else is done with makes an integer.
import triton
import triton.language as tl


#| set kernel k
#| set nothing
@triton.jit
def k(x_ptr, t_ptr, m_ptr, seed, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    # A hash, a place, a flag, the partner in an exchange.
    h = tl.load(x_ptr + i, mask=i < n)
    h = (h ^ 3) * 9
    h = h ^ (h >> 4) ^ seed ^ 5
    at = tl.load(t_ptr + i, mask=i < n, other=0)
    at = at ^ 2
    flag = tl.load(m_ptr + i, mask=i < n, other=0) ^ 1
    partner = i ^ 4
    tl.store(y_ptr + at + partner, h + flag, mask=i < n)
