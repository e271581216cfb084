# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# The import is what is wrong, and not what is used of it.
import triton
import triton.lang as tl
#|            ^^^^ import-not-found: there is no module `triton.lang`
#|   note: did you mean `triton.language`?
#|   fix: write `language` | language


@triton.jit
def k(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(out_ptr + i, x * 2, mask=i < n)
