# A stride of 1 is a constant.
#| none: specialization-lost
import triton
import triton.language as tl

# /// tilescope
# kernel = "k"
# grid = [4]
# [args]
# x_ptr = { dtype = "fp32", shape = [1024], init = "randn" }
# o_ptr = { dtype = "fp32", shape = [1024] }
# stride = 1
# [constexprs]
# BLOCK = "256"
# ///


@triton.jit
def k(x_ptr, o_ptr, stride, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i * stride)
    tl.store(o_ptr + i, x)
