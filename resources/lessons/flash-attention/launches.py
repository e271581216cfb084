# /// tilescope
# name = "short"
# kernel = "attention"
# [sizes]
# n_queries = 128
# n_keys = 128
# [args]
# q_ptr   = { dtype = "fp16", shape = ["n_queries", 64], init = "randn", seed = 0 }
# k_ptr   = { dtype = "fp16", shape = ["n_keys", 64], init = "randn", seed = 1 }
# v_ptr   = { dtype = "fp16", shape = ["n_keys", 64], init = "randn", seed = 2 }
# out_ptr = { dtype = "fp16", shape = ["n_queries", 64], expected = "exp(q_ptr @ k_ptr.T * 0.125) @ v_ptr / sum(exp(q_ptr @ k_ptr.T * 0.125), axis=1, keepdims=True)", rtol = 1e-2, atol = 1e-2 }
# [constexprs]
# BLOCK_M = 64
# BLOCK_N = 64
# KEYS = "next_power_of_2(n_keys)"
# ///

# /// tilescope
# name = "odd"
# kernel = "attention"
# [sizes]
# n_queries = 128
# n_keys = 320
# [args]
# q_ptr   = { dtype = "fp16", shape = ["n_queries", 64], init = "randn", seed = 0 }
# k_ptr   = { dtype = "fp16", shape = ["n_keys", 64], init = "randn", seed = 1 }
# v_ptr   = { dtype = "fp16", shape = ["n_keys", 64], init = "randn", seed = 2 }
# out_ptr = { dtype = "fp16", shape = ["n_queries", 64], expected = "exp(q_ptr @ k_ptr.T * 0.125) @ v_ptr / sum(exp(q_ptr @ k_ptr.T * 0.125), axis=1, keepdims=True)", rtol = 1e-2, atol = 1e-2 }
# [constexprs]
# BLOCK_M = 64
# BLOCK_N = 64
# KEYS = "next_power_of_2(n_keys)"
# ///

# /// tilescope
# name = "long"
# kernel = "attention"
# [sizes]
# n_queries = 64
# n_keys = 2048
# [args]
# q_ptr   = { dtype = "fp16", shape = ["n_queries", 64], init = "randn", seed = 0 }
# k_ptr   = { dtype = "fp16", shape = ["n_keys", 64], init = "randn", seed = 1 }
# v_ptr   = { dtype = "fp16", shape = ["n_keys", 64], init = "randn", seed = 2 }
# out_ptr = { dtype = "fp16", shape = ["n_queries", 64], expected = "exp(q_ptr @ k_ptr.T * 0.125) @ v_ptr / sum(exp(q_ptr @ k_ptr.T * 0.125), axis=1, keepdims=True)", rtol = 1e-2, atol = 1e-2 }
# [constexprs]
# BLOCK_M = 64
# BLOCK_N = 64
# KEYS = "next_power_of_2(n_keys)"
# ///
