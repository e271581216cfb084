# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


#| set do run
#| set nothing
# /// tilescope
# kernel = "k"
# grid = [2]
# [args]
# x_ptr = { dtype = "fp32", shape = [8, 32], init = "randn" }
# slot_ptr = { dtype = "fp32", shape = [2, 32], init = "zeros" }
# full_ptr = { dtype = "i32", shape = [2], init = "zeros" }
# y_ptr = { dtype = "fp32", shape = [8, 32], expected = "x_ptr * 2" }
# ///


@triton.jit
def k(x_ptr, slot_ptr, full_ptr, y_ptr):
    i = tl.arange(0, 32)
    for it in range(8):
        slot = it % 2
        if tl.program_id(0) == 0:
            while tl.atomic_add(full_ptr + slot, 0, sem="acquire") != 0:
                pass
            tl.store(slot_ptr + slot * 32 + i, tl.load(x_ptr + it * 32 + i))
            tl.atomic_xchg(full_ptr + slot, 1, sem="release")
        else:
            while tl.atomic_add(full_ptr + slot, 0, sem="acquire") != 1:
                pass
            tl.store(y_ptr + it * 32 + i, tl.load(slot_ptr + slot * 32 + i) * 2)
            tl.atomic_xchg(full_ptr + slot, 0, sem="release")
