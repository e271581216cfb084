# Nothing depends on `rows`, and the kernel has no constexprs.
import triton
import triton.language as tl

# /// tilescope
# kernel = "k"
# grid = [4]
# [args]
# x_ptr = { dtype = "fp32", shape = [1024], init = "randn" }
# o_ptr = { dtype = "fp32", shape = [1024] }
# rows = 4
# ///


@triton.jit
def k(x_ptr, o_ptr, rows):
#|  ^ unused-argument: `rows` is not used
#|   note: [3]
#|   note: an argument of every launch, and a specialization for each of its kinds of values
#|   note: leave it out, or make it a `tl.constexpr` that is None
    i = tl.program_id(0) * 256 + tl.arange(0, 256)
    inside = i < 1000
    x = tl.load(x_ptr + i, mask=inside)
    tl.store(o_ptr + i, x, mask=inside)
