# Eight warps share the sum of each column.
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
    tl.store(o_ptr + tl.program_id(0) * 64 + c, tl.sum(x, axis=0))
#|                                              ^^^^^^^^^^^^^^^^^ bank-conflicts: banks conflict: this shared load takes 8 times as many passes as its bytes need
#|   note: [3]
#|   note: 8192 wavefronts, at least 1024, for `tt.reduce`
#|   note: 66 % of the passes through shared memory and the first cache
#|   note: fewer warps along what is reduced: a smaller `num_warps`, or a block that is longer along the rest
#|                                              ^^^^^^^^^^^^^^^^^ bank-conflicts: banks conflict: this shared store takes 16 times as many passes as its bytes need
#|   note: [3]
#|   note: 2048 wavefronts, at least 128, for `tt.reduce`
#|   note: 18 % of the passes through shared memory and the first cache
#|   note: fewer warps along what is reduced: a smaller `num_warps`, or a block that is longer along the rest
