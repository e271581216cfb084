# /// tilescope
# name = "one block"
# kernel = "dot"
# [sizes]
# n = 1024
# [args]
# x_ptr   = { dtype = "fp32", shape = ["n"], init = "randn", seed = 0 }
# y_ptr   = { dtype = "fp32", shape = ["n"], init = "randn", seed = 1 }
# out_ptr = { dtype = "fp32", shape = [1], init = "zeros", expected = "sum(x_ptr * y_ptr)", rtol = 1e-3, atol = 1e-2 }
# ///

# /// tilescope
# name = "5000 elements"
# kernel = "dot"
# [sizes]
# n = 5000
# [args]
# x_ptr   = { dtype = "fp32", shape = ["n"], init = "randn", seed = 0 }
# y_ptr   = { dtype = "fp32", shape = ["n"], init = "randn", seed = 1 }
# out_ptr = { dtype = "fp32", shape = [1], init = "zeros", expected = "sum(x_ptr * y_ptr)", rtol = 1e-3, atol = 1e-2 }
# ///
