# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Copies the pages of sequences out of a paged cache into one array, page numbers come from a table."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "paged_kv_gather"
# grid = ["batch", "pages_each"]
# [sizes]
# batch = 64
# pages_each = 256
# pages = 8192
# width = 4096
# [args]
# cache_ptr = { dtype = "fp16", shape = ["pages", 16, "width//16"], init = "randn", seed = 0 }
# table_ptr = { dtype = "i32", shape = ["batch", "pages_each"], init = "randint", seed = 1, high = "pages" }
# out_ptr = { dtype = "fp16", shape = ["batch", "pages_each", "width"] }
# [constexprs]
# PAGE = "width"
# BLOCK = 2048
# [options]
# num_warps = 4
# [work]
# bytes = "4 * batch * pages_each * width"
# ///


@triton.jit
def paged_kv_gather(
    cache_ptr, table_ptr, out_ptr, pages_each, PAGE: tl.constexpr, BLOCK: tl.constexpr
):
    place = tl.program_id(0) * pages_each + tl.program_id(1)
    page = tl.load(table_ptr + place).to(tl.int64)
    for start in tl.static_range(0, PAGE, BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        x = tl.load(cache_ptr + page * PAGE + offsets)
        tl.store(out_ptr + place * PAGE + offsets, x)
