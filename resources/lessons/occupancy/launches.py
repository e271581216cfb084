# /// tilescope
# name = "vector"
# kernel = "gelu"
# [sizes]
# n = 40000
# [args]
# x_ptr   = { dtype = "fp32", shape = ["n"], init = "randn", seed = 0 }
# out_ptr = { dtype = "fp32", shape = ["n"], expected = "0.5 * x_ptr * (1 + tanh(0.7978845608 * (x_ptr + 0.044715 * x_ptr ** 3)))", rtol = 1e-3 }
# ///
