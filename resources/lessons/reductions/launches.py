# /// tilescope
# name = "whole rows"
# kernel = "row_statistics"
# [sizes]
# n_rows = 16
# n_cols = 1024
# [args]
# x_ptr    = { dtype = "fp32", shape = ["n_rows", "n_cols"], init = "randn", seed = 0 }
# mean_ptr = { dtype = "fp32", shape = ["n_rows"], expected = "mean(x_ptr, axis=1)", atol = 1e-5 }
# max_ptr  = { dtype = "fp32", shape = ["n_rows"], expected = "max(x_ptr, axis=1)" }
# ///

# /// tilescope
# name = "short rows"
# kernel = "row_statistics"
# [sizes]
# n_rows = 16
# n_cols = 700
# [args]
# x_ptr    = { dtype = "fp32", shape = ["n_rows", "n_cols"], init = "randn", seed = 0 }
# mean_ptr = { dtype = "fp32", shape = ["n_rows"], expected = "mean(x_ptr, axis=1)", atol = 1e-5 }
# max_ptr  = { dtype = "fp32", shape = ["n_rows"], expected = "max(x_ptr, axis=1)" }
# ///

# /// tilescope
# name = "negative"
# kernel = "row_statistics"
# [sizes]
# n_rows = 16
# n_cols = 700
# [args]
# x_ptr    = { dtype = "fp32", shape = ["n_rows", "n_cols"], init = "rand", seed = 0, low = -3000.0, high = -2000.0 }
# mean_ptr = { dtype = "fp32", shape = ["n_rows"], expected = "mean(x_ptr, axis=1)", atol = 1e-5 }
# max_ptr  = { dtype = "fp32", shape = ["n_rows"], expected = "max(x_ptr, axis=1)" }
# ///
