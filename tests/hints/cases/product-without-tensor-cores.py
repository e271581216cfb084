# No instruction multiplies `fp32` exactly.
import triton
import triton.language as tl

# /// tilescope
# kernel = "k"
# grid = ["128 // BM", "128 // BN"]
# [args]
# a_ptr = { dtype = "fp32", shape = [128, 256], init = "randn" }
# b_ptr = { dtype = "fp32", shape = [256, 128], init = "randn" }
# c_ptr = { dtype = "fp32", shape = [128, 128] }
# K = 256
# [constexprs]
# BM = "64"
# BN = "64"
# BK = "32"
# [options]
# num_warps = 4
# ///


@triton.jit
def k(a_ptr, b_ptr, c_ptr, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    k = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for step in range(0, K, BK):
        a = tl.load(a_ptr + m[:, None] * 256 + (step + k)[None, :])
        b = tl.load(b_ptr + (step + k)[:, None] * 128 + n[None, :])
        acc = tl.dot(a, b, acc, input_precision="ieee")
#|            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ product-without-tensor-cores: threads compute this product with multiply-adds, not tensor cores: no instruction takes `fp32` at the precision that was asked for
#|   note: [2]
#|   note: 64 x 64 x 32 of `fp32` into `fp32`, in a loop
#|   note: products at the rate of tensor cores
#|   note: `input_precision="tf32"` where 10 bits of mantissa are enough, `"tf32x3"` where they are not
    tl.store(c_ptr + m[:, None] * 128 + n[None, :], acc)
