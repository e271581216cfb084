# One scale for all iterations.
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
        scale = tl.load(s_ptr)
#|              ^^^^^^^^^^^^^^ invariant-scalar-load: every iteration loads the same element
#|   note: [3]
#|   note: each program executes the load 8 times
#|   note: a wait for memory in every iteration
#|   note: load it before the loop
        x = tl.load(x_ptr + k * 1024 + i)
        tl.store(o_ptr + k * 1024 + i, x * scale)
