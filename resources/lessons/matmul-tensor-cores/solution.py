import triton
import triton.language as tl

# /// tilescope
# kernel = "matmul"
# grid = ["cdiv(M, BLOCK_M)", "cdiv(N, BLOCK_N)"]
# [sizes]
# M = 128
# N = 128
# K = 128
# [args]
# a_ptr = { dtype = "fp32", shape = ["M", "K"], init = "randn", seed = 0 }
# b_ptr = { dtype = "fp32", shape = ["K", "N"], init = "randn", seed = 1 }
# c_ptr = { dtype = "fp32", shape = ["M", "N"], expected = "a_ptr @ b_ptr", rtol = 1e-2, atol = 0.1 }
# [constexprs]
# BLOCK_M = 64
# BLOCK_N = 64
# BLOCK_K = 32
# ///


@triton.jit
def matmul(a_ptr, b_ptr, c_ptr, M, N, K, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    cols = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    acc = tl.zeros([BLOCK_M, BLOCK_N], tl.float32)
    for start in range(0, K, BLOCK_K):
        ks = start + tl.arange(0, BLOCK_K)
        a = tl.load(a_ptr + rows[:, None] * K + ks[None, :])
        b = tl.load(b_ptr + ks[:, None] * N + cols[None, :])
        acc = tl.dot(a.to(tl.float16), b.to(tl.float16), acc)
    tl.store(c_ptr + rows[:, None] * N + cols[None, :], acc)
