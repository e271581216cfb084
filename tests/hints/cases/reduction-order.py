# A maximum, first along dimension 1.
import triton
import triton.language as tl

# /// tilescope
# kernel = "k"
# grid = [4]
# [args]
# x_ptr = { dtype = "fp32", shape = [4, 64, 64], init = "randn" }
# o_ptr = { dtype = "fp32", shape = [4] }
# ///


@triton.jit
def k(x_ptr, o_ptr):
    m = tl.arange(0, 64)
    x = tl.load(x_ptr + tl.program_id(0) * 4096 + m[:, None] * 64 + m[None, :])
    most = tl.max(tl.max(x, axis=1), axis=0)
    tl.store(o_ptr + tl.program_id(0), most)
