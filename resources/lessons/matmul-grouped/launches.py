# /// tilescope
# name = "small"
# kernel = "matmul"
# [sizes]
# M = 256
# N = 256
# K = 64
# [args]
# a_ptr = { dtype = "fp16", shape = ["M", "K"], init = "randn", seed = 0 }
# b_ptr = { dtype = "fp16", shape = ["K", "N"], init = "randn", seed = 1 }
# c_ptr = { dtype = "fp16", shape = ["M", "N"], expected = "a_ptr @ b_ptr" }
# ///

# /// tilescope
# name = "large"
# kernel = "matmul"
# [sizes]
# M = 8192
# N = 8192
# K = 8192
# [args]
# a_ptr = { dtype = "fp16", shape = ["M", "K"], init = "randn", seed = 0 }
# b_ptr = { dtype = "fp16", shape = ["K", "N"], init = "randn", seed = 1 }
# c_ptr = { dtype = "fp16", shape = ["M", "N"] }
# ///
