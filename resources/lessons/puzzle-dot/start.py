import triton
import triton.language as tl

# /// tilescope
# kernel = "dot"
# grid = ["cdiv(n, BLOCK)"]
# [sizes]
# n = 5000
# [args]
# x_ptr   = { dtype = "fp32", shape = ["n"], init = "randn", seed = 0 }
# y_ptr   = { dtype = "fp32", shape = ["n"], init = "randn", seed = 1 }
# out_ptr = { dtype = "fp32", shape = [1], init = "zeros", expected = "sum(x_ptr * y_ptr)", rtol = 1e-3, atol = 1e-2 }
# [constexprs]
# BLOCK = 1024
# ///


@triton.jit
def dot(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    y = tl.load(y_ptr + offsets, mask=mask, other=0.0)
