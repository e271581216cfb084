# A thread holds 32 elements.
#| none: registers-spilled
import triton
import triton.language as tl

# /// tilescope
# kernel = "k"
# grid = [1]
# [args]
# x_ptr = { dtype = "fp32", shape = [8192], init = "randn" }
# o_ptr = { dtype = "fp32", shape = [8192] }
# [constexprs]
# BLOCK = "8192"
# [options]
# num_warps = 8
# ///


@triton.jit
def k(x_ptr, o_ptr, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i)
    y = x / tl.sum(x, axis=0)
    tl.store(o_ptr + i, y - tl.max(y, axis=0))
