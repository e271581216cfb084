# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


#| set do run
#| set nothing
# /// tilescope
# kernel = "k"
# grid = [3]
# [args]
# a_ptr = { dtype = "fp32", shape = [16, 128], init = "randn" }
# b_ptr = { dtype = "fp32", shape = [128, 32], init = "randn", seed = 1 }
# c_ptr = { dtype = "fp32", shape = [16, 32], expected = "a_ptr @ b_ptr" }
# part_ptr = { dtype = "fp32", shape = [3, 16, 16], init = "zeros" }
# flag_ptr = { dtype = "i32", shape = [3], init = "zeros" }
# total = 16
# per = 6
# ///


@triton.jit
def k(a_ptr, b_ptr, c_ptr, part_ptr, flag_ptr, total, per):
    pid = tl.program_id(0)
    it = pid * per
    end = tl.minimum(it + per, total)
    m = tl.arange(0, 16)
    while it < end:
        tile = it // 8
        first = it
        stop = tl.minimum(end, (tile + 1) * 8)
        acc = tl.zeros((16, 16), dtype=tl.float32)
        for kk in range(it, stop):
            kn = (kk - tile * 8) * 16 + m
            a = tl.load(a_ptr + m[:, None] * 128 + kn[None, :])
            b = tl.load(b_ptr + kn[:, None] * 32 + tile * 16 + m[None, :])
            acc += tl.dot(a, b, input_precision="ieee")
        if first != tile * 8:
            tl.store(part_ptr + pid * 256 + m[:, None] * 16 + m[None, :], acc)
            tl.debug_barrier()
            tl.atomic_xchg(flag_ptr + pid, 1)
        else:
            other = pid + 1
            reached = stop
            while reached < (tile + 1) * 8:
                while tl.atomic_cas(flag_ptr + other, 1, 1) != 1:
                    pass
                acc += tl.load(part_ptr + other * 256 + m[:, None] * 16 + m[None, :])
                reached += per
                other += 1
            tl.store(c_ptr + m[:, None] * 32 + tile * 16 + m[None, :], acc)
        it = stop
