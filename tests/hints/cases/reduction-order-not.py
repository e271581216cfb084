# A maximum, first along dimension 0.
#| none: reduction-order
import triton
import triton.language as tl

# /// tilescope
# kernel = "k"
# grid = [4]
# [args]
# x_ptr = { dtype = "fp32", shape = [4, 16, 512], init = "randn" }
# o_ptr = { dtype = "fp32", shape = [4] }
# ///


@triton.jit
def k(x_ptr, o_ptr):
    m, n = tl.arange(0, 16), tl.arange(0, 512)
    x = tl.load(x_ptr + tl.program_id(0) * 8192 + m[:, None] * 512 + n[None, :])
    most = tl.max(tl.max(x, axis=0), axis=0)
    tl.store(o_ptr + tl.program_id(0), most)
