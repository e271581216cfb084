# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Methods of NumPy's functions.
import triton
import triton.language as tl


#| set signature x_ptr=*fp32,y_ptr=*fp32,out_ptr=*fp32,n=i32
#| set constexpr B=64
@triton.jit
def k(x_ptr, y_ptr, out_ptr, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x_ptr + i, mask=i < n, other=0.0)
    w = tl.load(y_ptr + i, mask=i < n, other=0.0)
    np.add.at(out_ptr, i, v)
#|  ^^ undefined-name: `np` is not defined
#|   note: kernels write `tl.atomic_add(out_ptr + i, v, mask=i < n)`
#|   fix: tl.atomic_add(out_ptr + i, v, mask=i < n)
    np.subtract.at(out_ptr, i + 1, v + w)
#|  ^^ undefined-name: `np` is not defined
#|   fix: tl.atomic_add(out_ptr + i + 1, -(v + w))
    a = np.add.reduce(v)
#|      ^^ undefined-name: `np` is not defined
#|   note: kernels write `tl.sum(v, axis=0)`
#|   fix: write `tl.sum(v, axis=0)`
    b = np.maximum.accumulate(v)
#|      ^^ undefined-name: `np` is not defined
#|   note: kernels write `tl.associative_scan(v, 0, combine)`
    c = np.add.outer(v, w)
#|      ^^ undefined-name: `np` is not defined
#|   note: `a[:, None]` and `b[None, :]`
