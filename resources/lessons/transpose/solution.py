import triton
import triton.language as tl

# /// tilescope
# kernel = "transpose"
# grid = ["cdiv(n_rows, BLOCK)", "cdiv(n_cols, BLOCK)"]
# [sizes]
# n_rows = 512
# n_cols = 256
# [args]
# x_ptr   = { dtype = "fp32", shape = ["n_rows", "n_cols"], init = "randn", seed = 0 }
# out_ptr = { dtype = "fp32", shape = ["n_cols", "n_rows"], expected = "x_ptr.T" }
# [constexprs]
# BLOCK = 64
# ///


@triton.jit
def transpose(x_ptr, out_ptr, n_rows, n_cols, BLOCK: tl.constexpr):
    rows = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    cols = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    mask = (rows[:, None] < n_rows) & (cols[None, :] < n_cols)
    x = tl.load(x_ptr + rows[:, None] * n_cols + cols[None, :], mask=mask)
    tl.store(out_ptr + cols[:, None] * n_rows + rows[None, :], tl.trans(x), mask=tl.trans(mask))
