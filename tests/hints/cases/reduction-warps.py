# 8 warps for a row of 256 elements.
import triton
import triton.language as tl

# /// tilescope
# kernel = "k"
# grid = [4096]
# [args]
# x_ptr = { dtype = "fp32", shape = [4096, 256], init = "randn" }
# o_ptr = { dtype = "fp32", shape = [4096] }
# [options]
# num_warps = 8
# ///


@triton.jit
def k(x_ptr, o_ptr):
    x = tl.load(x_ptr + tl.program_id(0) * 256 + tl.arange(0, 256))
    tl.store(o_ptr + tl.program_id(0), tl.max(x, axis=0))
#|                                     ^^^^^^^^^^^^^^^^^ reduction-warps: 8 warps reduce a block of 256 elements together
#|   note: [3]
#|   note: a thread has one element, and warps exchange their results through shared memory, with a barrier
#|   note: waiting at barriers
#|   note: `num_warps = 2`
#|   fix: set `num_warps` to 2 | 2
#|   note: predicted time 5.5 µs → 4.9 µs
#|   note: equal results
