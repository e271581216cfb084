# /// tilescope
# name = "vector"
# kernel = "double"
# [sizes]
# n = 4096
# [args]
# x_ptr   = { dtype = "fp32", shape = ["n"], init = "randn", seed = 0 }
# out_ptr = { dtype = "fp32", shape = ["n"], expected = "2 * x_ptr" }
# ///
