# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "scan"
# grid = [8]
# [args]
# x_ptr = { dtype = "fp32", shape = [1024], init = "randn" }
# s_ptr = { dtype = "fp32", shape = [8], init = "zeros" }
# f_ptr = { dtype = "i32", shape = [8], init = "zeros" }
# y_ptr = { dtype = "fp32", shape = [1024], expected = "cumsum(x_ptr)" }
# [constexprs]
# B = "128"
# ///


@triton.jit
def scan(x_ptr, s_ptr, f_ptr, y_ptr, B: tl.constexpr):
    pid = tl.program_id(0)
    i = pid * B + tl.arange(0, B)
    x = tl.load(x_ptr + i)
    base = 0.0
    if pid > 0:
        while tl.atomic_add(f_ptr + pid - 1, 0) == 0:
            pass
        base = tl.load(s_ptr + pid - 1)
#|             ^~ run-write-race: `s_ptr[0]` is read by program 1 and changed by program 0 in line 30: which comes first is chance; what the reader waits for has to be set behind the store, by an atomic operation such as `tl.atomic_xchg` (a plain store or `sem="relaxed"` orders nothing), and a count has to be that of all writers
#|   note: the same in 6 more programs
    tl.store(s_ptr + pid, base + tl.sum(x, axis=0))
    # Not tl.atomic_xchg, which would order them.
    tl.store(f_ptr + pid, 1)
    tl.store(y_ptr + i, tl.cumsum(x, axis=0) + base)
