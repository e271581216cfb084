import triton
import triton.language as tl

X = tl.program_id(0)
Y = tl.constexpr(tl.full([16], 1.0, tl.float32))


@triton.jit
def helper(a, b=tl.zeros([16], tl.float32)):
    return a + b


@triton.jit
def k(x_ptr, n=tl.arange(0, 16), B: tl.constexpr = tl.program_id(1)):
    tl.store(x_ptr + tl.arange(0, 16), helper(X) + Y + n + B)
