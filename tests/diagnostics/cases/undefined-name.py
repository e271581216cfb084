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

    a = x + missing
#|          ^^^^^^^ undefined-name: `missing` is not defined
    # Names are separate errors, also where another error stands before them.
    b = absent + tl.load(x_ptr + lost, mask=m if n > 3 else guarded)
#|      ^^^^^^ undefined-name: `absent` is not defined
#|                               ^^^^ undefined-name: `lost` is not defined
#|                                                          ^^^^^^^ undefined-name: `guarded` is not defined
    for step in range(bound):
#|                    ^^^^^ undefined-name: `bound` is not defined
        b += x * step + gone
#|                      ^^^^ undefined-name: `gone` is not defined
    if n > 0:
        w = 1
    tl.store(y_ptr + i, x + w, mask=m)
#|                          ^ undefined-name: `w` is not defined
