# /// tilescope
# name = "numbers"
# kernel = "total"
# [sizes]
# n = 10000
# [args]
# x_ptr     = { dtype = "fp32", shape = ["n"], init = "rand", seed = 0 }
# total_ptr = { dtype = "fp32", shape = [1], init = "zeros", expected = "sum(x_ptr)" }
# ///
