# /// tilescope
# name = "long rows"
# kernel = "row_means"
# [sizes]
# n_rows = 4
# n_cols = 32768
# [args]
# x_ptr    = { dtype = "fp16", shape = ["n_rows", "n_cols"], init = "rand", seed = 0, low = 0.0, high = 2.0 }
# mean_ptr = { dtype = "fp32", shape = ["n_rows"], expected = "mean(x_ptr, axis=1)", rtol = 5e-3 }
# ///
