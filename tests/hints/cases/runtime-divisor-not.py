# The divisor is known when the kernel is compiled.
#| none: runtime-divisor
import triton
import triton.language as tl

# /// tilescope
# kernel = "k"
# grid = [4]
# [args]
# x_ptr = { dtype = "fp32", shape = [4096], init = "randn" }
# o_ptr = { dtype = "fp32", shape = [4096] }
# [constexprs]
# BLOCK = "1024"
# width = "48"
# ///


@triton.jit
def k(x_ptr, o_ptr, width: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    row = i // width
    x = tl.load(x_ptr + i)
    tl.store(o_ptr + i, x * row)
