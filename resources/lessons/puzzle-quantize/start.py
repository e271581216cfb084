import triton
import triton.language as tl

# /// tilescope
# kernel = "quantize"
# grid = ["n_rows"]
# [sizes]
# n_rows = 16
# n_cols = 100
# [args]
# x_ptr     = { dtype = "fp32", shape = ["n_rows", "n_cols"], init = "randn", seed = 0 }
# out_ptr   = { dtype = "i8", shape = ["n_rows", "n_cols"], expected = "floor(x_ptr / (max(abs(x_ptr), axis=1, keepdims=True) / 127) + 0.5)" }
# scale_ptr = { dtype = "fp32", shape = ["n_rows"], expected = "max(abs(x_ptr), axis=1) / 127" }
# [constexprs]
# BLOCK = 128
# ///


@triton.jit
def quantize(x_ptr, out_ptr, scale_ptr, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    mask = cols < n_cols
    x = tl.load(x_ptr + row * n_cols + cols, mask=mask, other=0.0)
    tl.store(out_ptr + row * n_cols + cols, x.to(tl.int8), mask=mask)
