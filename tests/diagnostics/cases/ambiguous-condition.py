# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


#| set constexpr B=16
@triton.jit
def k(x_ptr, y_ptr, n, B: tl.constexpr):
    i = tl.arange(0, B)
    m = i < n
    x = tl.load(x_ptr + i, mask=m)

    if m:
#|     ^ ambiguous-condition: this condition is 16 answers at once, one for each element of int1[16]
        x = x + 1.0
    if "text":
#|     ^~ ambiguous-condition: bool, int or None
        x = x + 1.0
    while True:
#|        ^^^^ ambiguous-condition: run-time scalar
        x = x + 1.0
    tl.store(y_ptr + i, x, mask=m)
