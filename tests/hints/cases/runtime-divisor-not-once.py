# One number for each program.
#| none: runtime-divisor
import triton
import triton.language as tl

# /// tilescope
# kernel = "k"
# grid = [4]
# [args]
# x_ptr = { dtype = "fp32", shape = [4096], init = "randn" }
# o_ptr = { dtype = "fp32", shape = [4096] }
# width = 48
# [constexprs]
# BLOCK = "1024"
# ///


@triton.jit
def k(x_ptr, o_ptr, width, BLOCK: tl.constexpr):
    row = tl.program_id(0) // width
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i)
    tl.store(o_ptr + i, x * row)
