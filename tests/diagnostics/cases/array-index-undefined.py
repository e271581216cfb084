# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# An index that nobody has defined: the elements of the program, not one number for all programs.
import triton
import triton.language as tl


#| set constexpr BLOCK=128
@triton.jit
def k(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    """Doubles."""
    y_ptr[i] = x_ptr[i] * 2
#|  ^~ unsupported-syntax: `y_ptr` is a pointer and cannot be indexed
#|                   ^ undefined-name: `i` is not defined
#|   from: the same here
#|   fix: begin with `i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)`
