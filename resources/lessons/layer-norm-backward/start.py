import triton
import triton.language as tl

# /// tilescope
# kernel = "layer_norm_backward"
# grid = ["n_rows"]
# [sizes]
# n_rows = 64
# n_cols = 768
# [args]
# xhat_ptr   = { dtype = "fp32", shape = ["n_rows", "n_cols"], init = "randn", seed = 0 }
# rstd_ptr   = { dtype = "fp32", shape = ["n_rows"], init = "rand", seed = 1, low = 0.5, high = 1.5 }
# weight_ptr = { dtype = "fp32", shape = ["n_cols"], init = "rand", seed = 2, low = 0.5, high = 1.5 }
# dy_ptr     = { dtype = "fp32", shape = ["n_rows", "n_cols"], init = "randn", seed = 3 }
# dx_ptr     = { dtype = "fp32", shape = ["n_rows", "n_cols"], expected = "(dy_ptr * weight_ptr - mean(dy_ptr * weight_ptr, axis=1, keepdims=True) - xhat_ptr * mean(xhat_ptr * dy_ptr * weight_ptr, axis=1, keepdims=True)) * rstd_ptr[:, None]", rtol = 1e-3, atol = 1e-3 }
# dw_ptr     = { dtype = "fp32", shape = ["n_cols"], init = "zeros", expected = "sum(dy_ptr * xhat_ptr, axis=0)", rtol = 1e-3, atol = 1e-3 }
# db_ptr     = { dtype = "fp32", shape = ["n_cols"], init = "zeros", expected = "sum(dy_ptr, axis=0)", rtol = 1e-3, atol = 1e-3 }
# [constexprs]
# BLOCK = "next_power_of_2(n_cols)"
# ///


@triton.jit
def layer_norm_backward(
    xhat_ptr, rstd_ptr, weight_ptr, dy_ptr, dx_ptr, dw_ptr, db_ptr, n_rows, n_cols, BLOCK: tl.constexpr
):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    mask = cols < n_cols
    weight = tl.load(weight_ptr + cols, mask=mask, other=0.0)
    xhat = tl.load(xhat_ptr + row * n_cols + cols, mask=mask, other=0.0)
    dy = tl.load(dy_ptr + row * n_cols + cols, mask=mask, other=0.0)
    rstd = tl.load(rstd_ptr + row)

    wdy = weight * dy
    tl.store(dx_ptr + row * n_cols + cols, wdy * rstd, mask=mask)

    tl.store(dw_ptr + cols, dy * xhat, mask=mask)
    tl.store(db_ptr + cols, dy, mask=mask)
