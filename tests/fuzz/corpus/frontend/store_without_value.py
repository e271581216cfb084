import triton
import triton.language as tl


@triton.jit
def k(y_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(y_ptr + i)
    tl.atomic_add(y_ptr + i, mask=i < n)
    tl.where(i < n)
