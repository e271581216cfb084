import triton
import triton.language as tl

# For the talk: both orders, with matrices that do not fit in the L2 cache.

# /// tilescope
# kernel = "row_by_row"
# grid = ["cdiv(M, BLOCK_M) * cdiv(N, BLOCK_N)"]
# [sizes]
# M = 8192
# N = 8192
# K = 8192
# [args]
# a_ptr = { dtype = "fp16", shape = ["M", "K"], init = "randn", seed = 0 }
# b_ptr = { dtype = "fp16", shape = ["K", "N"], init = "randn", seed = 1 }
# c_ptr = { dtype = "fp16", shape = ["M", "N"] }
# [constexprs]
# BLOCK_M = 128
# BLOCK_N = 128
# BLOCK_K = 64
# [options]
# num_warps = 8
# ///

# /// tilescope
# kernel = "grouped"
# grid = ["cdiv(M, BLOCK_M) * cdiv(N, BLOCK_N)"]
# [sizes]
# M = 8192
# N = 8192
# K = 8192
# [args]
# a_ptr = { dtype = "fp16", shape = ["M", "K"], init = "randn", seed = 0 }
# b_ptr = { dtype = "fp16", shape = ["K", "N"], init = "randn", seed = 1 }
# c_ptr = { dtype = "fp16", shape = ["M", "N"] }
# [constexprs]
# BLOCK_M = 128
# BLOCK_N = 128
# BLOCK_K = 64
# GROUP = 8
# [options]
# num_warps = 8
# ///


@triton.jit
def row_by_row(a_ptr, b_ptr, c_ptr, M, N, K, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    pid = tl.program_id(0)
    tiles_n = tl.cdiv(N, BLOCK_N)
    tile_m = pid // tiles_n
    tile_n = pid % tiles_n

    rows = (tile_m * BLOCK_M + tl.arange(0, BLOCK_M))[:, None]
    cols = (tile_n * BLOCK_N + tl.arange(0, BLOCK_N))[None, :]
    ks = tl.arange(0, BLOCK_K)
    acc = tl.zeros([BLOCK_M, BLOCK_N], tl.float32)
    for start in range(0, K, BLOCK_K):
        a = tl.load(a_ptr + rows * K + (start + ks)[None, :], mask=rows < M, other=0.0)
        b = tl.load(b_ptr + (start + ks)[:, None] * N + cols, mask=cols < N, other=0.0)
        acc = tl.dot(a, b, acc)
    tl.store(c_ptr + rows * N + cols, acc.to(tl.float16), mask=(rows < M) & (cols < N))


@triton.jit
def grouped(a_ptr, b_ptr, c_ptr, M, N, K, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr, GROUP: tl.constexpr):
    pid = tl.program_id(0)
    tiles_n = tl.cdiv(N, BLOCK_N)
    tiles_m = tl.cdiv(M, BLOCK_M)
    first = pid // (GROUP * tiles_n) * GROUP
    rows_in_group = tl.minimum(tiles_m - first, GROUP)
    tile_m = first + pid % (GROUP * tiles_n) % rows_in_group
    tile_n = pid % (GROUP * tiles_n) // rows_in_group

    rows = (tile_m * BLOCK_M + tl.arange(0, BLOCK_M))[:, None]
    cols = (tile_n * BLOCK_N + tl.arange(0, BLOCK_N))[None, :]
    ks = tl.arange(0, BLOCK_K)
    acc = tl.zeros([BLOCK_M, BLOCK_N], tl.float32)
    for start in range(0, K, BLOCK_K):
        a = tl.load(a_ptr + rows * K + (start + ks)[None, :], mask=rows < M, other=0.0)
        b = tl.load(b_ptr + (start + ks)[:, None] * N + cols, mask=cols < N, other=0.0)
        acc = tl.dot(a, b, acc)
    tl.store(c_ptr + rows * N + cols, acc.to(tl.float16), mask=(rows < M) & (cols < N))
