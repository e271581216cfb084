# Each row is summed within a warp.
#| none: bank-conflicts
import triton
import triton.language as tl

# /// tilescope
# kernel = "k"
# grid = [4]
# [args]
# x_ptr = { dtype = "fp32", shape = [256, 64], init = "randn" }
# o_ptr = { dtype = "fp32", shape = [4, 64] }
# [options]
# num_warps = 8
# ///


@triton.jit
def k(x_ptr, o_ptr):
    r = tl.program_id(0) * 64 + tl.arange(0, 64)
    c = tl.arange(0, 64)
    x = tl.load(x_ptr + r[:, None] * 64 + c[None, :])
    tl.store(o_ptr + tl.program_id(0) * 64 + c, tl.sum(x, axis=1))
