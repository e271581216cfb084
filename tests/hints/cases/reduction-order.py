# A maximum, first along dimension 1.
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
    most = tl.max(tl.max(x, axis=1), axis=0)
#|                ^^^^^^^^^^^^^^^^^ reduction-order: the block is reduced along dimension 1 first, which threads share: dimension 0 is in registers
#|   note: [3]
#|   note: each thread exchanges 112 values with others; in the other order 7
#|   note: 105 exchanges at each execution
#|   note: reduce along dimension 0 first
#|   fix: set `axis` to 0 | 0
#|   note: equal results
    tl.store(o_ptr + tl.program_id(0), most)
