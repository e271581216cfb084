import triton
import triton.language as tl

# /// tilescope
# kernel = "matmul"
# grid = ["M", "cdiv(N, BLOCK_N)"]
# [sizes]
# M = 128
# N = 128
# K = 128
# [args]
# a_ptr = { dtype = "fp16", shape = ["M", "K"], init = "randn", seed = 0 }
# b_ptr = { dtype = "fp16", shape = ["K", "N"], init = "randn", seed = 1 }
# c_ptr = { dtype = "fp32", shape = ["M", "N"], expected = "a_ptr @ b_ptr", rtol = 1e-3, atol = 1e-2 }
# [constexprs]
# BLOCK_M = 32
# BLOCK_N = 32
# BLOCK_K = 32
# ///


@triton.jit
def matmul(a_ptr, b_ptr, c_ptr, M, N, K, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    sums = tl.zeros([BLOCK_N], tl.float32)
    for k in range(0, K):
        a = tl.load(a_ptr + row * K + k)
        b = tl.load(b_ptr + k * N + cols, mask=cols < N, other=0.0)
        sums += a.to(tl.float32) * b.to(tl.float32)
    tl.store(c_ptr + row * N + cols, sums, mask=cols < N)
