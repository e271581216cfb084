import triton
import triton.language as tl

# /// tilescope
# kernel = "transpose_add"
# grid = ["cdiv(n_rows, BLOCK)", "cdiv(n_cols, BLOCK)"]
# [sizes]
# n_rows = 256
# n_cols = 256
# [args]
# x_ptr   = { dtype = "fp32", shape = ["n_rows", "n_cols"], init = "randn", seed = 0 }
# y_ptr   = { dtype = "fp32", shape = ["n_cols", "n_rows"], init = "randn", seed = 1 }
# out_ptr = { dtype = "fp32", shape = ["n_cols", "n_rows"], expected = "x_ptr.T + y_ptr" }
# [constexprs]
# BLOCK = 128
# ///


@triton.jit
def transpose_add(x_ptr, y_ptr, out_ptr, n_rows, n_cols, BLOCK: tl.constexpr):
    rows = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    cols = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    mask = (rows[:, None] < n_rows) & (cols[None, :] < n_cols)
    x = tl.load(x_ptr + rows[:, None] * n_cols + cols[None, :], mask=mask)
    turned = cols[:, None] * n_rows + rows[None, :]
    y = tl.load(y_ptr + turned, mask=tl.trans(mask))
    tl.store(out_ptr + turned, tl.trans(x) + y, mask=tl.trans(mask))
