import triton
import triton.language as tl

# /// tilescope
# kernel = "row_sums"
# grid = ["n_rows"]
# [sizes]
# n_rows = 128
# n_cols = 1024
# [args]
# x_ptr   = { dtype = "fp32", shape = ["n_rows", "n_cols"], init = "randn", seed = 0 }
# out_ptr = { dtype = "fp32", shape = ["n_rows"], expected = "sum(x_ptr, axis=1)" }
# [constexprs]
# BLOCK = 128
# ///


@triton.jit
def row_sums(x_ptr, out_ptr, n_rows, n_cols, BLOCK: tl.constexpr):
    # Only the first n_rows / BLOCK programs have rows of their own.
    rows = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = rows < n_rows
    total = tl.zeros([BLOCK], tl.float32)
    for col in range(0, n_cols):
        total += tl.load(x_ptr + rows * n_cols + col, mask=mask, other=0.0)
    tl.store(out_ptr + rows, total, mask=mask)
