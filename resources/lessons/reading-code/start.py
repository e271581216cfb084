import triton
import triton.language as tl

# /// tilescope
# kernel = "shade"
# grid = ["cdiv(n, BLOCK)"]
# [sizes]
# n = 6000
# width = 75
# [args]
# x_ptr   = { dtype = "fp32", shape = ["n // width", "width"], init = "rand", seed = 0 }
# out_ptr = { dtype = "fp32", shape = ["n // width", "width"], expected = "0.1 * x_ptr * factor_ptr[:, None]" }
# factor_ptr = { dtype = "fp32", shape = ["n // width"], init = "rand", seed = 1 }
# [constexprs]
# BLOCK = 1024
# ///


@triton.jit
def shade(x_ptr, out_ptr, factor_ptr, n, width, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    row = offsets // width
    x = tl.load(x_ptr + offsets, mask=mask)
    factor = tl.load(factor_ptr + row, mask=mask)
    tenth = tl.full([BLOCK], 0.1, tl.float64)
    tl.store(out_ptr + offsets, x * factor * tenth, mask=mask)
