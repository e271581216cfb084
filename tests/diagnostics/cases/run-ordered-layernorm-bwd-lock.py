# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


#| set do run
#| set nothing
# /// tilescope
# kernel = "bwd"
# grid = [16]
# [args]
# x_ptr = { dtype = "fp32", shape = [16, 64], init = "randn" }
# dw_ptr = { dtype = "fp32", shape = [4, 64], init = "zeros" }
# lock_ptr = { dtype = "i32", shape = [8], init = "zeros" }
# [constexprs]
# G = "4"
# N = "64"
# ///


@triton.jit
def bwd(x_ptr, dw_ptr, lock_ptr, G: tl.constexpr, N: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, N)
    partial = tl.load(x_ptr + row * N + cols)
    lock_id = row % G
    lock_ptr += lock_id
    count_ptr = lock_ptr + G
    dw = dw_ptr + lock_id * N + cols
    while tl.atomic_cas(lock_ptr, 0, 1) == 1:
        pass
    count = tl.load(count_ptr)
    if count == 0:
        tl.atomic_xchg(count_ptr, 1)
    else:
        partial += tl.load(dw)
    tl.store(dw, partial)
    tl.debug_barrier()
    tl.atomic_xchg(lock_ptr, 0)
