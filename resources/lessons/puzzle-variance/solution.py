import triton
import triton.language as tl

# /// tilescope
# kernel = "variances"
# grid = ["n_rows"]
# [sizes]
# n_rows = 8
# n_cols = 700
# [args]
# x_ptr   = { dtype = "fp32", shape = ["n_rows", "n_cols"], init = "rand", seed = 0, low = 99.0, high = 101.0 }
# out_ptr = { dtype = "fp32", shape = ["n_rows"], expected = "mean((x_ptr - mean(x_ptr, axis=1, keepdims=True)) ** 2, axis=1)", rtol = 1e-4 }
# [constexprs]
# BLOCK = 256
# ///


@triton.jit
def variances(x_ptr, out_ptr, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    sums = tl.zeros([BLOCK], tl.float32)
    for start in range(0, n_cols, BLOCK):
        cols = start + tl.arange(0, BLOCK)
        sums += tl.load(x_ptr + row * n_cols + cols, mask=cols < n_cols, other=0.0)
    mean = tl.sum(sums, axis=0) / n_cols
    squares = tl.zeros([BLOCK], tl.float32)
    for start in range(0, n_cols, BLOCK):
        cols = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * n_cols + cols, mask=cols < n_cols, other=0.0)
        squares += tl.where(cols < n_cols, (x - mean) * (x - mean), 0.0)
    tl.store(out_ptr + row, tl.sum(squares, axis=0) / n_cols)
