# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Functions that NumPy and PyTorch have, and what kernels write instead.
import torch
import triton
import triton.language as tl


#| set signature x_ptr=*fp32,y_ptr=*fp32,n=i32
@triton.jit
def k(x_ptr, y_ptr, n):
    i = tl.arange(0, 64)
    v = tl.load(x_ptr + i)
    a = tl.relu(v)
#|         ^^^^ unknown-attribute: module `triton.language` has no attribute `relu`
#|   note: kernels write `tl.maximum(v, 0)`
#|   fix: write `tl.maximum(v, 0)` | tl.maximum(v, 0)
    b = tl.relu(v + 1)
#|         ^^^^ unknown-attribute: no attribute `relu`
#|   note: kernels write `tl.maximum(v + 1, 0)`
#|   fix: write `tl.maximum(v + 1, 0)` | tl.maximum(v + 1, 0)
    c = v.relu()
#|        ^^^^ unknown-attribute: no attribute `relu`
#|   fix: write `tl.maximum(v, 0)` | tl.maximum(v, 0)
    d = tl.gelu(v)
#|         ^^^^ unknown-attribute: no attribute `gelu`
#|   note: kernels write `0.5 * v * (1 + tl.erf(v * 0.70710678))`
    e = np.maximum(v, 0)
#|      ^^ undefined-name: `np` is not defined
#|   note: kernels cannot use NumPy: it runs on the CPU, outside of kernels
#|   note: kernels have `tl.maximum`
#|   fix: write `tl.maximum` | tl.maximum
    e2 = np.arange(64)
#|       ^^ undefined-name: `np` is not defined
#|   note: kernels have `tl.arange`
#|   fix: write `tl.arange(0, 64)` | tl.arange(0, 64)
    e3 = tl.arange(64)
#|       ^^^^^^^^^^^^^ bad-call: `arange` is missing the argument `end`
#|   fix: write `tl.arange(0, 64)` | tl.arange(0, 64)
    e4 = tl.program_id()
#|       ^^^^^^^^^^^^^^^ bad-call: `program_id` is missing the argument `axis`
#|   fix: write `tl.program_id(axis=0)` | tl.program_id(axis=0)
    f = torch.exp(v)
#|      ^^^^^^^^^^^^ import-not-found: `torch.exp` cannot be used in a kernel: it runs on the CPU, outside of kernels
#|   note: kernels have `tl.exp`
#|   fix: write `tl.exp` | tl.exp
    g = torch.nn.functional.silu(v)
#|      ^^^^^^^^^^^^^^^^^^^^^^^^^^^ import-not-found: cannot be used in a kernel
#|   fix: write `v * tl.sigmoid(v)` | v * tl.sigmoid(v)
    h = tl.concatenate(v, v)
#|         ^^^^^^^^^^^ unknown-attribute: no attribute `concatenate`
#|   note: kernels write `tl.cat(v, v)`
    j = tl.matmul(v, v)
#|         ^^^^^^ unknown-attribute: no attribute `matmul`
#|   note: kernels write `tl.dot(v, v)`
    l = v.mean()
#|        ^^^^ unknown-attribute: no attribute `mean`
#|   note: divide the sum by the number of elements: `tl.sum(v) / v.shape[0]`
#|   fix: write `tl.sum(v) / v.shape[0]`
    m = tl.tanh(v)
#|         ^^^^ unknown-attribute: no attribute `tanh`
#|   note: `libdevice.tanh` is such a function
    p = np.clip(v, -1.0, n)
#|      ^^ undefined-name: `np` is not defined
#|   note: kernels write `tl.clamp(v, -1.0, n)`
#|   fix: write `tl.clamp(v, -1.0, n)` | tl.clamp(v, -1.0, n)
    q = v.clip(0.0, 1.0)
#|        ^^^^ unknown-attribute: no attribute `clip`
#|   fix: write `tl.clamp(v, 0.0, 1.0)` | tl.clamp(v, 0.0, 1.0)
    r = v.clip(0.0)
#|        ^^^^ unknown-attribute: no attribute `clip`
#|   note: kernels write `tl.clamp(v, 0.0, high)`
    tl.store(y_ptr + i, v)
