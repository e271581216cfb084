# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Initial data as a script calls for it.
import triton
import triton.language as tl


# /// tilescope
# kernel = "k"
# grid = [4]
# [args]
# x_ptr = { dtype = "i32", shape = [512], init = "randint(0, 16)" }
#|                                               ^^^^^^^^^^^^^^^^ launch-block-invalid: `randint(0, 16)` is a call, and `init` a word
#|   note: bounds are the keys `low` and `high`: write `init = "randint", low = 0, high = 16`
#|   fix: write `"randint", low = 0, high = 16` | "randint", low = 0, high = 16
# y_ptr = { dtype = "i32", shape = [512], init = "torch.zeros(512)" }
#|                                               ^^^^^^^^^^^^^^^^^^ launch-block-invalid: `torch.zeros(512)` is a call, and `init` a word
#|   note: the shape is the key `shape`: write `init = "zeros"`
#|   fix: write `"zeros"` | "zeros"
# ///


@triton.jit
def k(x_ptr, y_ptr):
    i = tl.program_id(0) * 128 + tl.arange(0, 128)
    tl.store(y_ptr + i, tl.load(x_ptr + i))
