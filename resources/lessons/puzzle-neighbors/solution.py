import triton
import triton.language as tl

# /// tilescope
# kernel = "smooth"
# grid = ["cdiv(n, BLOCK)"]
# [sizes]
# n = 1000
# [args]
# x_ptr   = { dtype = "fp32", shape = ["n"], init = "randn", seed = 0 }
# out_ptr = { dtype = "fp32", shape = ["n"], expected = "(x_ptr + concatenate((x_ptr[1:], 0 * x_ptr[:1])) + concatenate((0 * x_ptr[:1], x_ptr[:-1]))) / 3" }
# [constexprs]
# BLOCK = 256
# ///


@triton.jit
def smooth(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    left = tl.load(x_ptr + offsets - 1, mask=mask & (offsets > 0), other=0.0)
    right = tl.load(x_ptr + offsets + 1, mask=offsets + 1 < n, other=0.0)
    tl.store(out_ptr + offsets, (left + x + right) / 3, mask=mask)
