# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Misspellings are mended; another word is not one, however near it is.
import triton
import triton.language as tl


#| set signature x_ptr=*fp32
@triton.jit
def k(x_ptr):
    i = tl.arange(0, 16)
    x = tl.load(x_ptr + i)
    a = x.mean()
#|        ^^^^ unknown-attribute: no attribute `mean`
#|   fix: write `tl.sum(x) / x.shape[0]`
    a = x - 2 * x.mean(axis=0)
#|                ^^^^ unknown-attribute: no attribute `mean`
#|   fix: write `(tl.sum(x, axis=0) / x.shape[0])`
    a = tl.mean(x, 0)
#|         ^^^^ unknown-attribute: no attribute `mean`
#|   fix: write `tl.sum(x, axis=0) / x.shape[0]`
    b = x.smu()
#|        ^^^ unknown-attribute: no attribute `smu`
#|   note: did you mean `sum`?
    c = x.sinh()
#|        ^^^^ unknown-attribute: no attribute `sinh`
#|   note: libdevice.sinh
    d = tl.mix(x, x)
#|         ^^^ unknown-attribute: no attribute `mix`
