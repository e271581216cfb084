# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# The loop ends where it begins.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = [4]
# [args]
# offsets = { dtype = "i32", shape = [5], init = "offsets", low = 0, high = 8 }
# x = { dtype = "fp32", shape = [8], init = "ones" }
# out = { dtype = "fp32", shape = [4] }
# ///


@triton.jit
def k(offsets, x, out):
    bag = tl.program_id(0)
    start = tl.load(offsets + bag)
    end = tl.load(offsets + bag)
    total = 0.0
    for j in range(start, end):
#|           ^^^^^^^^^^^^^^^^^ bad-argument: the loop has no turn in any program: its end is loaded from the same place as its start
#|   note: a segment ends where the next one begins, at `offsets + bag + 1`
        total += tl.load(x + j)
    tl.store(out + bag, total)
