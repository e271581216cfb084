import triton
import triton.language as tl

# /// tilescope
# kernel = "reverse"
# grid = ["cdiv(n, BLOCK)"]
# [sizes]
# n = 1000
# [args]
# x_ptr   = { dtype = "fp32", shape = ["n"], init = "randn", seed = 0 }
# out_ptr = { dtype = "fp32", shape = ["n"], expected = "x_ptr[::-1]" }
# [constexprs]
# BLOCK = 256
# ///


@triton.jit
def reverse(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    tl.store(out_ptr + n - 1 - offsets, x, mask=mask)
