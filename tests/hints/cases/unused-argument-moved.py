# The address of `p_ptr` is changed, and nothing is read or written there: no constexpr would change that.
import triton
import triton.language as tl

# /// tilescope
# kernel = "k"
# grid = [4]
# [args]
# x_ptr = { dtype = "fp32", shape = [1024], init = "randn" }
# p_ptr = { dtype = "fp32", shape = [1024] }
# o_ptr = { dtype = "fp32", shape = [1024] }
# [constexprs]
# BLOCK = "256"
# ///


@triton.jit
def k(x_ptr, p_ptr, o_ptr, BLOCK: tl.constexpr):
#|  ^ unused-argument: `p_ptr` is not used: the kernel names it, but nothing that it does depends on it
#|   note: [3]
#|   note: an argument of every launch, and a specialization for each of its kinds of values
#|   note: leave it out, or make it a `tl.constexpr` that is None
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    p_ptr = p_ptr + i
    inside = i < 1000
    x = tl.load(x_ptr + i, mask=inside)
    tl.store(o_ptr + i, x, mask=inside)
