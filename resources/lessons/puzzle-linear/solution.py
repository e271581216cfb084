import triton
import triton.language as tl

# /// tilescope
# kernel = "linear"
# grid = ["cdiv(M, BLOCK)", "cdiv(N, BLOCK)"]
# [sizes]
# M = 50
# N = 40
# K = 70
# [args]
# x_ptr   = { dtype = "fp16", shape = ["M", "K"], init = "randn", seed = 0 }
# w_ptr   = { dtype = "fp16", shape = ["K", "N"], init = "randn", seed = 1 }
# b_ptr   = { dtype = "fp16", shape = ["N"], init = "randn", seed = 2 }
# out_ptr = { dtype = "fp16", shape = ["M", "N"], expected = "maximum(x_ptr @ w_ptr + b_ptr, 0)", rtol = 1e-2, atol = 2e-2 }
# [constexprs]
# BLOCK = 32
# ///


@triton.jit
def linear(x_ptr, w_ptr, b_ptr, out_ptr, M, N, K, BLOCK: tl.constexpr):
    rows = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    cols = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    acc = tl.zeros([BLOCK, BLOCK], tl.float32)
    for start in range(0, K, BLOCK):
        ks = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + rows[:, None] * K + ks[None, :], mask=(rows[:, None] < M) & (ks[None, :] < K), other=0.0)
        w = tl.load(w_ptr + ks[:, None] * N + cols[None, :], mask=(ks[:, None] < K) & (cols[None, :] < N), other=0.0)
        acc = tl.dot(x, w, acc)
    b = tl.load(b_ptr + cols, mask=cols < N)
    out = tl.maximum(acc + b[None, :].to(tl.float32), 0.0)
    tl.store(out_ptr + rows[:, None] * N + cols[None, :], out.to(tl.float16), mask=(rows[:, None] < M) & (cols[None, :] < N))
