import triton
import triton.language as tl

# /// tilescope
# kernel = "double"
# grid = ["cdiv(n, BLOCK)"]
# [sizes]
# n = 4096
# [args]
# x_ptr   = { dtype = "fp32", shape = ["n"], init = "randn", seed = 0 }
# out_ptr = { dtype = "fp32", shape = ["n"], expected = "2 * x_ptr" }
# [constexprs]
# BLOCK = 256
# [options]
# num_warps = 2
# ///


@triton.jit
def double(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, 2 * x, mask=mask)
