# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


#| set do run
#| set nothing
# /// tilescope
# kernel = "split_k"
# grid = [2, 4]
# [args]
# a_ptr = { dtype = "fp32", shape = [32, 128], init = "randn" }
# b_ptr = { dtype = "fp32", shape = [128, 32], init = "randn", seed = 1 }
# c_ptr = { dtype = "fp32", shape = [32, 32], init = "zeros", expected = "a_ptr @ b_ptr" }
# lock_ptr = { dtype = "i32", shape = [2], init = "zeros" }
# count_ptr = { dtype = "i32", shape = [2], init = "zeros" }
# [constexprs]
# M = "16"
# N = "32"
# K = "32"
# ///


@triton.jit
def split_k(
    a_ptr, b_ptr, c_ptr, lock_ptr, count_ptr, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr
):
    m = tl.program_id(0) * M + tl.arange(0, M)
    k = tl.program_id(1) * K + tl.arange(0, K)
    n = tl.arange(0, N)
    a = tl.load(a_ptr + m[:, None] * 128 + k[None, :])
    b = tl.load(b_ptr + k[:, None] * 32 + n[None, :])
    acc = tl.dot(a, b, input_precision="ieee")
    lock = lock_ptr + tl.program_id(0)
    count = count_ptr + tl.program_id(0)
    c = c_ptr + m[:, None] * 32 + n[None, :]
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    done = tl.load(count)
    if done == 0:
        tl.store(c, acc)
        tl.atomic_xchg(count, 1)
    else:
        tl.store(c, acc + tl.load(c))
    tl.debug_barrier()
    tl.atomic_xchg(lock, 0)
