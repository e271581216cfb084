# /// tilescope
# name = "square"
# kernel = "matmul"
# [sizes]
# M = 128
# N = 128
# K = 128
# [args]
# a_ptr = { dtype = "fp16", shape = ["M", "K"], init = "randn", seed = 0 }
# b_ptr = { dtype = "fp16", shape = ["K", "N"], init = "randn", seed = 1 }
# c_ptr = { dtype = "fp32", shape = ["M", "N"], expected = "a_ptr @ b_ptr", rtol = 1e-3, atol = 1e-2 }
# ///

# /// tilescope
# name = "odd sizes"
# kernel = "matmul"
# [sizes]
# M = 100
# N = 72
# K = 64
# [args]
# a_ptr = { dtype = "fp16", shape = ["M", "K"], init = "randn", seed = 0 }
# b_ptr = { dtype = "fp16", shape = ["K", "N"], init = "randn", seed = 1 }
# c_ptr = { dtype = "fp32", shape = ["M", "N"], expected = "a_ptr @ b_ptr", rtol = 1e-3, atol = 1e-2 }
# ///
