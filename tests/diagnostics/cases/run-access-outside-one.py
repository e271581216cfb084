# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A block of places in an array of one element, where its sum is meant.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = [1]
# [args]
# x_ptr     = { dtype = "fp32", shape = [64], init = "randn" }
# total_ptr = { dtype = "fp32", shape = [1], init = "zeros" }
# ///


@triton.jit
def k(x_ptr, total_ptr):
    offsets = tl.arange(0, 64)
    x = tl.load(x_ptr + offsets)
    tl.atomic_add(total_ptr + offsets, x)
#|  ^~ run-access-outside: `total_ptr` has one element: `tl.atomic_add(total_ptr, tl.sum(x, axis=0))`
#|   fix: | tl.atomic_add(total_ptr, tl.sum(x, axis=0))
