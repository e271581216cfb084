# A scale for each iteration.
#| none: invariant-scalar-load
import triton
import triton.language as tl

# /// tilescope
# kernel = "k"
# grid = [4]
# [args]
# x_ptr = { dtype = "fp32", shape = [8, 1024], init = "randn" }
# o_ptr = { dtype = "fp32", shape = [8, 1024] }
# s_ptr = { dtype = "fp32", shape = [8], init = "randn" }
# n = 8
# [constexprs]
# BLOCK = "256"
# ///


@triton.jit
def k(x_ptr, o_ptr, s_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    for k in range(n):
        scale = tl.load(s_ptr + k)
        x = tl.load(x_ptr + k * 1024 + i)
        tl.store(o_ptr + k * 1024 + i, x * scale)
