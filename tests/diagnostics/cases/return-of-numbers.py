# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A kernel as a function: there is no argument for its result yet.
import triton
import triton.language as tl


@triton.jit
def add(x, y):
    return x + y
#|  ^^^^^^^^^^^^ return-type: `add` returns a value, but a kernel returns nothing: store the result with `tl.store`
#|   fix: add the parameter `out_ptr`, and store there: `tl.store(out_ptr, x + y)`
