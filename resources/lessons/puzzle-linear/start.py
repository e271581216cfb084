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
    b = tl.load(b_ptr + cols, mask=cols < N)
