# /// tilescope
# name = "image"
# kernel = "shade"
# [sizes]
# n = 6000
# width = 75
# [args]
# x_ptr   = { dtype = "fp32", shape = ["n // width", "width"], init = "rand", seed = 0 }
# out_ptr = { dtype = "fp32", shape = ["n // width", "width"], expected = "0.1 * x_ptr * factor_ptr[:, None]" }
# factor_ptr = { dtype = "fp32", shape = ["n // width"], init = "rand", seed = 1 }
# ///
