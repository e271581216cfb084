# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Of turns that overlap, a barrier would only settle whose value stays.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = [1]
# [args]
# x = { dtype = "fp32", shape = [1024], init = "zeros" }
# [options]
# num_warps = 4
# ///


@triton.jit
def k(x):
    i = tl.arange(0, 512)
    for j in tl.static_range(2):
        tl.store(x + i + j * 256, i + 1.0)
#|      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ run-write-race: let each turn store elements of its own
