# A long launch of 32 programs.
import triton
import triton.language as tl

# /// tilescope
# kernel = "k"
# grid = [32]
# [args]
# x_ptr = { dtype = "fp32", shape = [4194304], init = "randn" }
# o_ptr = { dtype = "fp32", shape = [4194304] }
# [constexprs]
# BLOCK = "2048"
# STEPS = "64"
# ///


@triton.jit
def k(x_ptr, o_ptr, BLOCK: tl.constexpr, STEPS: tl.constexpr):
#|  ^ idle-multiprocessors: the grid has 32 programs, and an H100 or H200 has 132 multiprocessors
#|   note: [3]
#|   note: 100 of 132 multiprocessors have nothing to do
#|   note: up to 76 % of the time
#|   note: smaller blocks, or several programs for what one loops over
    first = tl.program_id(0) * BLOCK * STEPS
    for step in range(STEPS):
        i = first + step * BLOCK + tl.arange(0, BLOCK)
        tl.store(o_ptr + i, tl.load(x_ptr + i) + 1.0)
