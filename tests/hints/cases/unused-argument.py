# Nothing depends on `n` where the constexpr says so, and no access lacks a mask that could compare with it.
import triton
import triton.language as tl

# /// tilescope
# kernel = "k"
# grid = [4]
# [args]
# x_ptr = { dtype = "fp32", shape = [1024], init = "randn" }
# o_ptr = { dtype = "fp32", shape = [1024] }
# n = 1024
# [constexprs]
# BLOCK = "256"
# ENDS = 0
# ///


@triton.jit
def k(x_ptr, o_ptr, n, BLOCK: tl.constexpr, ENDS: tl.constexpr):
#|  ^ unused-argument: `n` is not used with these constexprs
#|   note: [3]
#|   note: an argument of every launch, and a specialization for each of its kinds of values
#|   note: leave it out, or make it a `tl.constexpr` that is None
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    if ENDS:
        inside = i < n
    else:
        inside = i < 1000
    x = tl.load(x_ptr + i, mask=inside)
    tl.store(o_ptr + i, x, mask=inside)
