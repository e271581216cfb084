# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


@triton.jit
def scale(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    // the index
#|  ^~~~~~~~~~~~ syntax-invalid-character: a comment begins with `#` in Python, and not with `//`
#|   fix: begin it with `#` | # the index
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    /* double it */
#|  ^~~~~~~~~~~~~~~ syntax-invalid-character: a comment begins with `#` in Python, and not with `/*`
#|   fix: begin it with `#` | # double it
    x = tl.load(x_ptr + i // the elements
#|                        ^~~~~~~~~~~~~~~ syntax-invalid-character: a comment begins with `#` in Python, and not with `//`
#|   fix: begin it with `#` | # the elements
                , mask=i < n)
    y = x * 2 // double it
#|            ^~~~~~~~~~~~ syntax-invalid-character: a comment begins with `#` in Python, and not with `//`
#|   fix: begin it with `#` | # double it
    rows = (n
            // BLOCK)
    columns = n \
        // BLOCK
    tl.store(y_ptr + i // 1, y + rows + columns, mask=i < n)
