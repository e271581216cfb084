import triton
import triton.language as tl

# /// tilescope
# kernel = "clip"
# grid = ["cdiv(n, BLOCK)"]
# [sizes]
# n = 1000
# [args]
# x_ptr   = { dtype = "fp32", shape = ["n"], init = "randn", seed = 0 }
# out_ptr = { dtype = "fp32", shape = ["n"], expected = "minimum(maximum(x_ptr, low), high)" }
# low     = -0.5
# high    = 0.75
# [constexprs]
# BLOCK = 256
# ///


@triton.jit
def clip(x_ptr, out_ptr, n, low, high, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, tl.minimum(tl.maximum(x, low), high), mask=mask)
