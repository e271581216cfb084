# Tiles of a product row by row: each wave reads all of the second factor.
import triton
import triton.language as tl

# /// tilescope
# kernel = "k"
# grid = ["(M // 128) * (N // 128)"]
# [sizes]
# M = 1024
# N = 16384
# K = 4096
# [args]
# a_ptr = { dtype = "fp16", shape = ["M", "K"], init = "randn" }
# b_ptr = { dtype = "fp16", shape = ["K", "N"], init = "randn" }
# c_ptr = { dtype = "fp32", shape = ["M", "N"] }
# [constexprs]
# N = "N"
# K = "K"
# [options]
# num_warps = 8
# num_stages = 3
# ///


@triton.jit
def k(a_ptr, b_ptr, c_ptr, N: tl.constexpr, K: tl.constexpr):
    tile = tl.program_id(0)
    m = tile // (N // 128) * 128 + tl.arange(0, 128)
    n = tile % (N // 128) * 128 + tl.arange(0, 128)
    acc = tl.zeros((128, 128), dtype=tl.float32)
    for step in range(0, K, 64):
        k = step + tl.arange(0, 64)
        a = tl.load(a_ptr + m[:, None] * K + k[None, :])
#|          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ tile-order: programs that run at the same time share few tiles: what they load does not fit into the L2 cache
#|   note: [3]
#|   note: the 264 programs that an H100 or H200 runs at once load 135 MiB that differ; its cache holds 50 MiB
#|   note: as 8 rows of 33 tiles they would load 42.3 MiB
#|   note: up to 3.2 times less from memory
#|   note: visit tiles in bands of 8 rows: `tl.swizzle2d`; the Programs view shows the order
        b = tl.load(b_ptr + k[:, None] * N + n[None, :])
        acc = tl.dot(a, b, acc)
    tl.store(c_ptr + m[:, None] * N + n[None, :], acc)
