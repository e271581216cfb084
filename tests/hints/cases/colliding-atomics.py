# Eight neighbors add to one element.
import triton
import triton.language as tl

# /// tilescope
# kernel = "k"
# grid = [4]
# [args]
# x_ptr = { dtype = "fp32", shape = [1024], init = "randn" }
# o_ptr = { dtype = "fp32", shape = [1024], init = "zeros" }
# [constexprs]
# BLOCK = "256"
# ///


@triton.jit
def k(x_ptr, o_ptr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i)
    tl.atomic_add(o_ptr + i // 8, x)
#|  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ colliding-atomics: lanes of one request update the same element of `o_ptr`
#|   note: [2]
#|   note: on average 8 lanes meet in an element, in 32 requests
#|   note: up to 8 times fewer updates
#|   note: reduce within the block first: `tl.sum`, or `tl.histogram` where elements are counted
