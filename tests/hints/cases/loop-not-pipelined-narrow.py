# Rows of 200 elements begin anywhere, so a lane of the first load moves 2 bytes.
import triton
import triton.language as tl

# /// tilescope
# kernel = "k"
# grid = ["128 // BM", "128 // BN"]
# [args]
# a_ptr = { dtype = "fp16", shape = [128, 200], init = "randn" }
# b_ptr = { dtype = "fp16", shape = [200, 128], init = "randn" }
# c_ptr = { dtype = "fp32", shape = [128, 128] }
# K = 200
# [constexprs]
# BM = "64"
# BN = "64"
# BK = "32"
# ///


@triton.jit
def k(a_ptr, b_ptr, c_ptr, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    k = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for step in range(0, K, BK):
        a = tl.load(a_ptr + m[:, None] * K + (step + k)[None, :], mask=(step + k)[None, :] < K, other=0.0)
#|          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ narrow-access: a lane moves 2 bytes at once: `K` is not known to be a multiple of more than 1 element
#|   note: requests 1792 → 224, sectors 4096 → 3328, counted with this change
#|          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ loop-not-pipelined: an asynchronous copy moves at least 4 bytes a lane, and this load 2: `K` is not known to be a multiple of more than 1 element
#|   note: each program loads and waits 7 times
#|   note: pad the rows, so that each begins at a multiple of 16 elements: `K` = 208 instead of 200; then the load is copied ahead
        b = tl.load(b_ptr + (step + k)[:, None] * 128 + n[None, :], mask=(step + k)[:, None] < K, other=0.0)
        acc = tl.dot(a, b, acc)
    tl.store(c_ptr + m[:, None] * 128 + n[None, :], acc)
