# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Operators, parameters and values that NumPy and PyTorch have, and kernels spell in another way.
import triton
import triton.language as tl


#| set signature x_ptr=*fp32,y_ptr=*fp32,n=i32
@triton.jit
def k(x_ptr, y_ptr, n):
    i = tl.arange(0, 32)
    a = tl.load(x_ptr + i, mask=i < n, other=-np.inf)
#|                                            ^^ undefined-name: `np` is not defined
#|   note: kernels write `float("inf")`
#|   fix: write `float("-inf")` | float("-inf")
    b = tl.load(x_ptr + i, mask=i < n, other=np.nan)
#|                                           ^^ undefined-name: `np` is not defined
#|   fix: write `float("nan")` | float("nan")
    v = tl.load(x_ptr + i)
    c = tl.sum(v, dim=0)
#|                ^^^ bad-call: `sum` has no parameter `dim`
#|   note: did you mean `axis`?
#|   fix: write `axis` | axis
    d = tl.max(v, axis=0, keepdim=True)
#|                        ^^^^^^^ bad-call: `max` has no parameter `keepdim`
#|   note: did you mean `keep_dims`?
    m = v[:, None] + v[None, :]
    e = m @ m
#|      ^^^^^ unsupported-syntax: `@` is not supported: use `tl.dot`
#|   fix: write `tl.dot(m, m)` | tl.dot(m, m)
    f = v[:, np.newaxis]
#|           ^^ undefined-name: `np` is not defined
#|   fix: write `None` | None
    tl.store(y_ptr + i, v)
