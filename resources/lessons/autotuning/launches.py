# /// tilescope
# name = "rows"
# kernel = "row_sums"
# [sizes]
# n_rows = 64
# n_cols = 2048
# [args]
# x_ptr   = { dtype = "fp32", shape = ["n_rows", "n_cols"], init = "randn", seed = 0 }
# out_ptr = { dtype = "fp32", shape = ["n_rows"], expected = "sum(x_ptr, axis=1)", atol = 1e-3 }
# ///
