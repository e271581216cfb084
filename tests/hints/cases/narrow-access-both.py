# Neither the stride nor the end of the mask alone keeps the accesses narrow.
import triton
import triton.language as tl

# /// tilescope
# kernel = "k"
# grid = [64]
# [args]
# x_ptr = { dtype = "fp32", shape = [64, 500], init = "randn" }
# o_ptr = { dtype = "fp32", shape = [64, 512] }
# stride = 500
# n = 500
# [constexprs]
# BLOCK = "512"
# ///


@triton.jit
def k(x_ptr, o_ptr, stride, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * stride + i, mask=i < n, other=0.0)
#|      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ narrow-access: a lane moves 4 bytes at once: `stride` is not known to be a multiple of more than 1 element
#|   note: pad the rows, so that each begins at a multiple of 16 elements: `stride` = 512 instead of 500; and let the mask end at a multiple of 16 elements, where what lies between does no harm: `n` = 512 instead of 500; `stride` alone does not help
#|   note: counted with this change
    tl.store(o_ptr + row * BLOCK + i, x)
