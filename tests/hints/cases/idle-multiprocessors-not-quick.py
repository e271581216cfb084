# A quick run on small sizes.
#| none: idle-multiprocessors
import triton
import triton.language as tl

# /// tilescope
# kernel = "k"
# grid = [4]
# [args]
# x_ptr = { dtype = "fp32", shape = [32768], init = "randn" }
# o_ptr = { dtype = "fp32", shape = [32768] }
# [constexprs]
# BLOCK = "2048"
# STEPS = "4"
# ///


@triton.jit
def k(x_ptr, o_ptr, BLOCK: tl.constexpr, STEPS: tl.constexpr):
    first = tl.program_id(0) * BLOCK * STEPS
    for step in range(STEPS):
        i = first + step * BLOCK + tl.arange(0, BLOCK)
        tl.store(o_ptr + i, tl.load(x_ptr + i) + 1.0)
