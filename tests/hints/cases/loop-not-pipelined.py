# A loop of products with a single stage.
import triton
import triton.language as tl

# /// tilescope
# kernel = "k"
# grid = ["128 // BM", "128 // BN"]
# [args]
# a_ptr = { dtype = "fp16", shape = [128, 256], init = "randn" }
# b_ptr = { dtype = "fp16", shape = [256, 128], init = "randn" }
# c_ptr = { dtype = "fp32", shape = [128, 128] }
# K = 256
# [constexprs]
# BM = "64"
# BN = "64"
# BK = "32"
# [options]
# num_warps = 4
# num_stages = 1
# ///


@triton.jit
def k(a_ptr, b_ptr, c_ptr, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    k = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for step in range(0, K, BK):
        a = tl.load(a_ptr + m[:, None] * 256 + (step + k)[None, :])
#|          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ loop-not-pipelined: the product waits for this load in every iteration: the loop has a single stage
#|   note: [1]
#|   note: each program loads and waits 8 times
#|   note: also in line 31
#|   note: up to the time that the loads take: they would run beside the products
#|   note: `num_stages = 3` loads two iterations ahead
#|   fix: set `num_stages` to 3 | 3
#|   note: stages of copies 0 → 3,
        b = tl.load(b_ptr + (step + k)[:, None] * 128 + n[None, :])
        acc = tl.dot(a, b, acc)
    tl.store(c_ptr + m[:, None] * 128 + n[None, :], acc)
