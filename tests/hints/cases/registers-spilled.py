# A thread holds 1024 elements at once.
import triton
import triton.language as tl

# /// tilescope
# kernel = "k"
# grid = [1]
# [args]
# x_ptr = { dtype = "fp32", shape = [32768], init = "randn" }
# o_ptr = { dtype = "fp32", shape = [32768] }
# [constexprs]
# BLOCK = "32768"
# [options]
# num_warps = 1
# ///


@triton.jit
def k(x_ptr, o_ptr, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i)
    y = x / tl.sum(x, axis=0)
    tl.store(o_ptr + i, y - tl.max(y, axis=0))
