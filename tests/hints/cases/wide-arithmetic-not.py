# Sums of `fp32` in `fp32`.
#| none: wide-arithmetic
import triton
import triton.language as tl

# /// tilescope
# kernel = "k"
# grid = [4]
# [args]
# x_ptr = { dtype = "fp32", shape = [8, 1024], init = "randn" }
# o_ptr = { dtype = "fp32", shape = [1024] }
# n = 8
# [constexprs]
# BLOCK = "256"
# ///


@triton.jit
def k(x_ptr, o_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    for k in range(n):
        total += tl.load(x_ptr + k * 1024 + i)
    tl.store(o_ptr + i, total.to(tl.float32))
