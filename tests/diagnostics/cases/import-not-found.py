# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl

import absent
from absent.helpers import LIMIT, twice


#| set constexpr B=16
@triton.jit
def k(x_ptr, y_ptr, n, B: tl.constexpr):
    i = tl.arange(0, B)
    x = tl.load(x_ptr + i, mask=i < n)
    x = twice(x)
#|      ^^^^^^^^ import-not-found: `absent.helpers.twice` is not available in a kernel
#|   note: and in the import folders
    a = absent.helpers.thrice(i)
#|      ^^^^^^^^^^^^^^ import-not-found: `absent.helpers` is not available
#|   note: and in the import folders
    b = i + LIMIT
#|      ^^^^^^^^^ type-mismatch: `absent.helpers.LIMIT`, whose source was not found
    if LIMIT:
#|     ^^^^^ ambiguous-condition: `absent.helpers.LIMIT`, whose source was not found
        b = i
    tl.store(y_ptr + i, i, mask=i < n)
