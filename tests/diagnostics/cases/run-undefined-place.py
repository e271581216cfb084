# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# What is loaded says where to count: lanes that the mask leaves out must not be counted anywhere.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = [2]
# [args]
# x = { dtype = "fp32", shape = [100], init = "zeros" }
# counts = { dtype = "i32", shape = [16], init = "zeros" }
# last = { dtype = "fp32", shape = [16], init = "zeros" }
# n = 100
# ///


@triton.jit
def k(x, counts, last, n):
    i = tl.program_id(0) * 64 + tl.arange(0, 64)
    v = tl.load(x + i, mask=i < n)
    b = tl.abs(v * 3).to(tl.int32) % 16
    tl.atomic_add(counts + b, 1)
#|  ^~ run-undefined: an address comes from a value that a masked-off load left undefined; mask the update: `tl.atomic_add(counts + b, 1, mask=i < n)`
#|   fix: add `mask=i < n` | , mask=i < n
#|   note: in program 1
#|   from: elements of `v` that its `mask` leaves out are undefined
    tl.store(last + b, 1.0)
#|  ^~ run-undefined: mask the store: `tl.store(last + b, 1.0, mask=i < n)`
#|   fix: add `mask=i < n` | , mask=i < n
#|   note: in program 1
#|   from: elements of `v` that its `mask` leaves out are undefined
    m = i < n
    u = tl.load(x + i, m)
    m = i < 0
    # The name means something else by now.
    tl.atomic_add(counts + tl.abs(u * 3).to(tl.int32) % 16, 1)
#|  ^~ run-undefined: give the load of `u` in line 28 an `other`
#|   note: in program 1
#|   from: elements of `u` that its `mask` leaves out are undefined
