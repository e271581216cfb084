# /// tilescope
# name = "rows"
# kernel = "row_sums"
# grid = ["n_rows"]
# [sizes]
# n_rows = 128
# n_cols = 1024
# [args]
# x_ptr   = { dtype = "fp32", shape = ["n_rows", "n_cols"], init = "randn", seed = 0 }
# out_ptr = { dtype = "fp32", shape = ["n_rows"], expected = "sum(x_ptr, axis=1)" }
# ///
