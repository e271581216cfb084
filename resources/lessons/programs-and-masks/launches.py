# /// tilescope
# name = "1024 elements"
# kernel = "add"
# [sizes]
# n = 1024
# [args]
# x_ptr   = { dtype = "fp32", shape = ["n"], init = "randn", seed = 0 }
# y_ptr   = { dtype = "fp32", shape = ["n"], init = "randn", seed = 1 }
# out_ptr = { dtype = "fp32", shape = ["n"], expected = "x_ptr + y_ptr" }
# ///

# /// tilescope
# name = "1000 elements"
# kernel = "add"
# [sizes]
# n = 1000
# [args]
# x_ptr   = { dtype = "fp32", shape = ["n"], init = "randn", seed = 0 }
# y_ptr   = { dtype = "fp32", shape = ["n"], init = "randn", seed = 1 }
# out_ptr = { dtype = "fp32", shape = ["n"], expected = "x_ptr + y_ptr" }
# ///
