# Sums of 11 bits.
import triton
import triton.language as tl

# /// tilescope
# kernel = "k"
# grid = ["128 // BM", "128 // BN"]
# [args]
# a_ptr = { dtype = "fp16", shape = [128, 256], init = "randn" }
# b_ptr = { dtype = "fp16", shape = [256, 128], init = "randn" }
# c_ptr = { dtype = "fp16", shape = [128, 128] }
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
    acc = tl.zeros((BM, BN), dtype=tl.float16)
    for step in range(0, K, BK):
        a = tl.load(a_ptr + m[:, None] * 256 + (step + k)[None, :])
        b = tl.load(b_ptr + (step + k)[:, None] * 128 + n[None, :])
        acc = tl.dot(a, b, acc, out_dtype=tl.float16)
#|            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ half-accumulator: the loop adds up products in `fp16`
#|   note: [2]
#|   note: each iteration adds 32 products to a sum of 11 bits
#|   note: 13 bits more of the sum; `fp32` sums cost registers only
#|   note: begin with `tl.zeros(…, dtype=tl.float32)`, leave out `out_dtype`, and convert after the loop
    tl.store(c_ptr + m[:, None] * 128 + n[None, :], acc)
