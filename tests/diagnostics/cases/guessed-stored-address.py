# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# The address of what was meant is stored: neither integers of 64 bits nor a number are guessed.
import triton
import triton.language as tl


@triton.jit
def k(x_ptr, y_ptr):
    tl.store(y_ptr, x_ptr)
#|                  ^^^^^ type-mismatch: the value to store, `x_ptr` of type `pointer<fp32>`, is an address
#|   note: load their elements first, as in `tl.load(x_ptr + offsets)`
