# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# What reads its neighbors reads them before or after they change, however whole each update is.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = [1]
# [args]
# u = { dtype = "fp32", shape = [1024], init = "randn" }
# [options]
# num_warps = 4
# ///


@triton.jit
def k(u):
    i = tl.arange(0, 1024)
    c = tl.load(u + i)
    left = tl.load(u + i - 1, mask=i > 0, other=0.0)
    tl.store(u + i, c + 0.5 * (left - c))
#|  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ run-write-race: which comes first is chance; separate the two by `tl.debug_barrier()`
#|   fix: write `tl.debug_barrier()` in front of line 24
