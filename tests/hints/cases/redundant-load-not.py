# The weights change in every iteration.
#| none: redundant-load
import triton
import triton.language as tl

# /// tilescope
# kernel = "k"
# grid = [4]
# [args]
# x_ptr = { dtype = "fp32", shape = [8, 1024], init = "randn" }
# w_ptr = { dtype = "fp32", shape = [1024], init = "randn" }
# o_ptr = { dtype = "fp32", shape = [8, 1024] }
# n = 8
# [constexprs]
# BLOCK = "256"
# ///


@triton.jit
def k(x_ptr, w_ptr, o_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    for row in range(n):
        w = tl.load(w_ptr + i)
        x = tl.load(x_ptr + row * 1024 + i)
        tl.store(o_ptr + row * 1024 + i, x * w)
        tl.store(w_ptr + i, w + 1.0)
