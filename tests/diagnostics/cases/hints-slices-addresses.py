# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Slices of an array in the place of addresses.
import triton
import triton.language as tl


@triton.jit
def addresses(x, out, n, BLOCK):
    start = tl.program_id(0) * BLOCK
    v = tl.load(x[start:start+BLOCK])
#|              ^^^^^^^^^^^^^^^^^^^^ bad-argument: `tl.load` takes the address, `x + start + tl.arange(0, BLOCK)`
#|   note: annotate the parameter, `BLOCK: tl.constexpr`
#|   fix: write `x + start + tl.arange(0, BLOCK)`
