# One warp reduces faster, and fewer warps fit.
import triton
import triton.language as tl

# /// tilescope
# kernel = "k"
# grid = [4]
# [args]
# x_ptr = { dtype = "fp32", shape = [4, 128], init = "randn" }
# o_ptr = { dtype = "fp32", shape = [4] }
# [options]
# num_warps = 4
# ///


@triton.jit
def k(x_ptr, o_ptr):
    x = tl.load(x_ptr + tl.program_id(0) * 128 + tl.arange(0, 128))
    tl.store(o_ptr + tl.program_id(0), tl.max(x, axis=0))
#|                                     ^^^^^^^^^^^^^^^^^ reduction-warps: 4 warps reduce a block of 128 elements together
#|   fix: set `num_warps` to 1 | 1
#|   note: occupancy 100 % → 50 %
