# /// tilescope
# name = "product"
# kernel = "matmul"
# [sizes]
# M = 128
# N = 128
# K = 128
# [args]
# a_ptr = { dtype = "fp32", shape = ["M", "K"], init = "randn", seed = 0 }
# b_ptr = { dtype = "fp32", shape = ["K", "N"], init = "randn", seed = 1 }
# c_ptr = { dtype = "fp32", shape = ["M", "N"], expected = "a_ptr @ b_ptr", rtol = 1e-2, atol = 0.1 }
# ///

# /// tilescope
# name = "large"
# kernel = "matmul"
# [sizes]
# M = 1024
# N = 1024
# K = 1024
# [args]
# a_ptr = { dtype = "fp32", shape = ["M", "K"], init = "randn", seed = 0 }
# b_ptr = { dtype = "fp32", shape = ["K", "N"], init = "randn", seed = 1 }
# c_ptr = { dtype = "fp32", shape = ["M", "N"] }
# ///
