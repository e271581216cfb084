# /// tilescope
# name = "64 rows"
# kernel = "layer_norm_backward"
# [sizes]
# n_rows = 64
# n_cols = 768
# [args]
# xhat_ptr   = { dtype = "fp32", shape = ["n_rows", "n_cols"], init = "randn", seed = 0 }
# rstd_ptr   = { dtype = "fp32", shape = ["n_rows"], init = "rand", seed = 1, low = 0.5, high = 1.5 }
# weight_ptr = { dtype = "fp32", shape = ["n_cols"], init = "rand", seed = 2, low = 0.5, high = 1.5 }
# dy_ptr     = { dtype = "fp32", shape = ["n_rows", "n_cols"], init = "randn", seed = 3 }
# dx_ptr     = { dtype = "fp32", shape = ["n_rows", "n_cols"], expected = "(dy_ptr * weight_ptr - mean(dy_ptr * weight_ptr, axis=1, keepdims=True) - xhat_ptr * mean(xhat_ptr * dy_ptr * weight_ptr, axis=1, keepdims=True)) * rstd_ptr[:, None]", rtol = 1e-3, atol = 1e-3 }
# dw_ptr     = { dtype = "fp32", shape = ["n_cols"], init = "zeros" }
# db_ptr     = { dtype = "fp32", shape = ["n_cols"], init = "zeros" }
# ///

# /// tilescope
# name = "50 rows"
# kernel = "layer_norm_backward"
# [sizes]
# n_rows = 50
# n_cols = 768
# [args]
# xhat_ptr   = { dtype = "fp32", shape = ["n_rows", "n_cols"], init = "randn", seed = 0 }
# rstd_ptr   = { dtype = "fp32", shape = ["n_rows"], init = "rand", seed = 1, low = 0.5, high = 1.5 }
# weight_ptr = { dtype = "fp32", shape = ["n_cols"], init = "rand", seed = 2, low = 0.5, high = 1.5 }
# dy_ptr     = { dtype = "fp32", shape = ["n_rows", "n_cols"], init = "randn", seed = 3 }
# dx_ptr     = { dtype = "fp32", shape = ["n_rows", "n_cols"] }
# dw_ptr     = { dtype = "fp32", shape = ["n_cols"], init = "zeros", expected = "sum(dy_ptr * xhat_ptr, axis=0)", rtol = 1e-3, atol = 1e-3 }
# db_ptr     = { dtype = "fp32", shape = ["n_cols"], init = "zeros", expected = "sum(dy_ptr, axis=0)", rtol = 1e-3, atol = 1e-3 }
# ///
