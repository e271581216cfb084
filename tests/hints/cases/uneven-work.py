# The last programs add up most rows.
import triton
import triton.language as tl

# /// tilescope
# kernel = "k"
# grid = [528]
# [args]
# x_ptr = { dtype = "fp32", shape = [528, 4096], init = "randn" }
# o_ptr = { dtype = "fp32", shape = [528, 4096] }
# [constexprs]
# BLOCK = "4096"
# [options]
# num_warps = 32
# ///


@triton.jit
def k(x_ptr, o_ptr, BLOCK: tl.constexpr):
#|  ^ uneven-work: the longest program accesses 2 times as much as the mean one
#|   note: [3]
#|   note: number 527 of 528: 8.3 MiB, the mean 4.1 MiB
#|   note: on an H100 or H200 with 264 programs at once, the last one ends 1.5 times as late as with equal work
#|   note: up to 33 % of the time, as far as accesses determine it
#|   note: begin with the longest: let programs count from the end, `tl.num_programs(0) - 1 - tl.program_id(0)`
    p = tl.program_id(0)
    sum = tl.zeros((BLOCK,), dtype=tl.float32)
    for step in range(p + 1):
        sum += tl.load(x_ptr + step * BLOCK + tl.arange(0, BLOCK))
    tl.store(o_ptr + p * BLOCK + tl.arange(0, BLOCK), sum)
