# /// tilescope
# name = "two blocks"
# kernel = "variances"
# [sizes]
# n_rows = 8
# n_cols = 512
# [args]
# x_ptr   = { dtype = "fp32", shape = ["n_rows", "n_cols"], init = "rand", seed = 0, low = 99.0, high = 101.0 }
# out_ptr = { dtype = "fp32", shape = ["n_rows"], expected = "mean((x_ptr - mean(x_ptr, axis=1, keepdims=True)) ** 2, axis=1)", rtol = 1e-4 }
# ///

# /// tilescope
# name = "rows of 700"
# kernel = "variances"
# [sizes]
# n_rows = 8
# n_cols = 700
# [args]
# x_ptr   = { dtype = "fp32", shape = ["n_rows", "n_cols"], init = "rand", seed = 0, low = 99.0, high = 101.0 }
# out_ptr = { dtype = "fp32", shape = ["n_rows"], expected = "mean((x_ptr - mean(x_ptr, axis=1, keepdims=True)) ** 2, axis=1)", rtol = 1e-4 }
# ///
