# Rows of 784 elements begin at multiples of 16.
#| none: narrow-access
import triton
import triton.language as tl

# /// tilescope
# kernel = "k"
# grid = [64]
# [args]
# x_ptr = { dtype = "fp32", shape = [64, 784], init = "randn" }
# o_ptr = { dtype = "fp32", shape = [64, 512] }
# stride = 784
# [constexprs]
# BLOCK = "512"
# ///


@triton.jit
def k(x_ptr, o_ptr, stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * stride + i)
    tl.store(o_ptr + row * BLOCK + i, x)
