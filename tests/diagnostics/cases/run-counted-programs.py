# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Programs that count themselves do the same on purpose.
import triton
import triton.language as tl


#| set do run
#| set nothing
# /// tilescope
# kernel = "count"
# grid = [8, 4]
# [args]
# total = { dtype = "i32", shape = [1], init = "zeros" }
# ///


@triton.jit
def count(total):
    tl.atomic_add(total, 1)
