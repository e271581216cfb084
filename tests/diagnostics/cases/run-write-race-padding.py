# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Lanes that the load of an index leaves out count nothing: the atomic update takes that load's mask.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "histogram"
# grid = [1]
# [args]
# a_ptr = { dtype = "i32", shape = [100], init = "randint", seed = 1, low = 0, high = 4 }
# h_ptr = { dtype = "i32", shape = [4], init = "zeros" }
# ///


@triton.jit
def histogram(a_ptr, h_ptr):
    o = tl.arange(0, 128)
    a = tl.load(a_ptr + o, mask=o < 100, other=0)
    h = tl.load(h_ptr + a)
    tl.store(h_ptr + a, h + 1)
#|  ^~ run-write-race: `tl.atomic_add(h_ptr + a, 1, mask=o < 100)` keeps every update
#|   fix: write `tl.atomic_add(h_ptr + a, 1, mask=o < 100)`
