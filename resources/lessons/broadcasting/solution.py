import triton
import triton.language as tl

# /// tilescope
# kernel = "add_bias"
# grid = ["cdiv(n_rows, BLOCK_M)", "cdiv(n_cols, BLOCK_N)"]
# [sizes]
# n_rows = 100
# n_cols = 200
# [args]
# x_ptr    = { dtype = "fp32", shape = ["n_rows", "n_cols"], init = "randn", seed = 0 }
# bias_ptr = { dtype = "fp32", shape = ["n_cols"], init = "randn", seed = 1 }
# out_ptr  = { dtype = "fp32", shape = ["n_rows", "n_cols"], expected = "x_ptr + bias_ptr" }
# [constexprs]
# BLOCK_M = 32
# BLOCK_N = 64
# ///


@triton.jit
def add_bias(x_ptr, bias_ptr, out_ptr, n_rows, n_cols, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    cols = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    mask = (rows[:, None] < n_rows) & (cols[None, :] < n_cols)
    offsets = rows[:, None] * n_cols + cols[None, :]
    bias = tl.load(bias_ptr + cols, mask=cols < n_cols)
    x = tl.load(x_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, x + bias[None, :], mask=mask)
