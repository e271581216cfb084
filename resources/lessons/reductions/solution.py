import triton
import triton.language as tl

# /// tilescope
# kernel = "row_statistics"
# grid = ["n_rows"]
# [sizes]
# n_rows = 16
# n_cols = 700
# [args]
# x_ptr    = { dtype = "fp32", shape = ["n_rows", "n_cols"], init = "randn", seed = 0 }
# mean_ptr = { dtype = "fp32", shape = ["n_rows"], expected = "mean(x_ptr, axis=1)", atol = 1e-5 }
# max_ptr  = { dtype = "fp32", shape = ["n_rows"], expected = "max(x_ptr, axis=1)" }
# [constexprs]
# BLOCK = 1024
# ///


@triton.jit
def row_statistics(x_ptr, mean_ptr, max_ptr, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    mask = cols < n_cols
    x = tl.load(x_ptr + row * n_cols + cols, mask=mask, other=-float("inf"))
    tl.store(mean_ptr + row, tl.sum(tl.where(mask, x, 0.0), axis=0) / n_cols)
    tl.store(max_ptr + row, tl.max(x, axis=0))
