# The addresses behind a descriptor have 64 bits.
#| none: wide-arithmetic
import triton
import triton.language as tl

# /// tilescope
# kernel = "k"
# grid = [2]
# [args]
# x_ptr = { dtype = "fp32", shape = [64, 256], init = "randn" }
# o_ptr = { dtype = "fp32", shape = [64, 256] }
# [constexprs]
# BM = "32"
# BN = "64"
# ///


@triton.jit
def k(x_ptr, o_ptr, BM: tl.constexpr, BN: tl.constexpr):
    x_desc = tl.make_tensor_descriptor(x_ptr, [64, 256], [256, 1], [BM, BN])
    o_desc = tl.make_tensor_descriptor(o_ptr, [64, 256], [256, 1], [BM, BN])
    row = tl.program_id(0) * BM
    for column in range(0, 256, BN):
        o_desc.store([row, column], x_desc.load([row, column]) * 2)
