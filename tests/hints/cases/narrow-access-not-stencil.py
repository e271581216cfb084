# The constant, and no argument, keeps the second load narrow.
#| none: narrow-access
import triton
import triton.language as tl

# /// tilescope
# kernel = "k"
# grid = [4]
# [args]
# x_ptr = { dtype = "fp32", shape = [2048], init = "randn" }
# o_ptr = { dtype = "fp32", shape = [1024] }
# [constexprs]
# BLOCK = "256"
# ///


@triton.jit
def k(x_ptr, o_ptr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i) + tl.load(x_ptr + 1 + i)
    tl.store(o_ptr + i, x)
