import triton
import triton.language as tl
@triton.jit
def k(p, n):
    t = (n, n)
    for _ in tl.static_range(40):
        t = (t, t)
    u = (n, 1)
    for _ in tl.static_range(40):
        u += u
    tl.store(p, n)
