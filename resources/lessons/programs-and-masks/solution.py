import triton
import triton.language as tl

# /// tilescope
# kernel = "add"
# grid = ["cdiv(n, BLOCK)"]
# [sizes]
# n = 1000
# [args]
# x_ptr   = { dtype = "fp32", shape = ["n"], init = "randn", seed = 0 }
# y_ptr   = { dtype = "fp32", shape = ["n"], init = "randn", seed = 1 }
# out_ptr = { dtype = "fp32", shape = ["n"], expected = "x_ptr + y_ptr" }
# [constexprs]
# BLOCK = 256
# ///


@triton.jit
def add(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    y = tl.load(y_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, x + y, mask=mask)
