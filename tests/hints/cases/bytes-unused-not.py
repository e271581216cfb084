# The second half.
#| none: bytes-unused
import triton
import triton.language as tl

# /// tilescope
# kernel = "k"
# grid = [4]
# [args]
# x_ptr = { dtype = "fp32", shape = [2048], init = "randn" }
# o_ptr = { dtype = "fp32", shape = [2048] }
# [constexprs]
# BLOCK = "256"
# ///


@triton.jit
def k(x_ptr, o_ptr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + 1024 + i)
    tl.store(o_ptr + 1024 + i, x)
