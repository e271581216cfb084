import triton
import triton.language as tl

# /// tilescope
# kernel = "total"
# grid = ["cdiv(n, BLOCK)"]
# [sizes]
# n = 10000
# [args]
# x_ptr     = { dtype = "fp32", shape = ["n"], init = "rand", seed = 0 }
# total_ptr = { dtype = "fp32", shape = [1], init = "zeros", expected = "sum(x_ptr)" }
# [constexprs]
# BLOCK = 1024
# ///


@triton.jit
def total(x_ptr, total_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n, other=0.0)
    tl.store(total_ptr, tl.sum(x, axis=0))
