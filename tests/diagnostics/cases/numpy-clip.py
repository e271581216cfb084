# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Integers between two bounds.
import triton
import triton.language as tl


#| set signature x_ptr=*fp32,y_ptr=*fp32,out_ptr=*fp32,n=i32
#| set constexpr B=64
@triton.jit
def k(x_ptr, y_ptr, out_ptr, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x_ptr + i, mask=i < n, other=0.0)
    w = tl.load(y_ptr + i, mask=i < n, other=0.0)
    a = np.clip(i - 1, 0, n - 1)
#|      ^^ undefined-name: `np` is not defined
#|   note: kernels write `tl.minimum(tl.maximum(i - 1, 0), n - 1)`
#|   fix: write `tl.minimum(tl.maximum(i - 1, 0), n - 1)`
    b = np.clip(v, 0, 1)
#|      ^^ undefined-name: `np` is not defined
#|   note: kernels write `tl.clamp(v, 0, 1)`
#|   fix: write `tl.clamp(v, 0, 1)`
