# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A comma is missing between parameters: what the list declares is declared.
import triton
import triton.language as tl


@triton.jit
def k(x_ptr out_ptr, n; BLOCK = tl.constexpr):
#|          ^^^^^^^ syntax-expected-token: expected `,` or `)` after the parameter, found `out_ptr`
#|   fix: write `,` | , out_ptr, n,
#|                            ^ syntax-invalid-parameters: a type follows `:`
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(out_ptr + i, x, mask=i < n)
