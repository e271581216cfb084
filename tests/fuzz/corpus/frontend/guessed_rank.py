import triton
import triton.language as tl
from triton.language.extra import libdevice
from collections import namedtuple
from typing import NamedTuple

C = tl.constexpr(4)
V = 5

class Pair(NamedTuple):
    left: tl.tensor
    right: tl.tensor

@triton.constexpr_function
def twice(a):
    return a * 2

@triton.jit
def f(a, b):
    return a + b

@triton.jit
def g(a, b=1, *, c: tl.constexpr = 2):
    return tl.where(a > b, a, b) * c

@triton.jit
def add(a, b):
    return a + b

@triton.jit
def first(a, b, c, d):
    return tl.where(a > c, a, c), b + d

@triton.jit
def choose(a, b):
    if a > b:
        return a
    else:
        return b

@triton.jit
def early(a):
    if a > 0:
        return a
    return -a

@triton.jit(noinline=True)
def apart(a):
    return a + 1

@triton.jit
def halve(a, n: tl.constexpr):
    if n <= 1:
        return a
    else:
        return halve(a * 2, n // 2)

@triton.jit
def grown(a, b, B: tl.constexpr = 16, F: tl.constexpr = None):
    i = tl.arange(0, 16)
    j = i
    m = i < 9
    x = a
    y = b
    t = (a, b)
    desc.atomic_min([z, tl.float64.is_floating().dtype.element_ty.primitive_bitwidth], tl.make_block_ptr(((r + z) + j), (tl.reduce(tl.dot_scaled(w.to(tl.uint8), n, 'e5m2', w.to(tl.float8e5), None, 'e5m2', acc=u), None, add), tl.extra.cuda.smid()), (tl.to_tensor(tl.int16.primitive_bitwidth), 1), (tl.extra.cuda.smid(), twice(len(t))), (((p + i)).shape[tl.int32.primitive_bitwidth], ((0 % 2) & C)), (1, 0)))
    print('shown', tl.associative_scan((tl.atomic_max(((r + i) - i), (p + i), mask=(j < s), sem='relaxed'), x), B, first))
    return tl.advance(bp.advance([C, z]), (z, twice(C)))

@triton.jit
def k(p: tl.pointer_type(tl.int1), q, r: tl.pointer_type(tl.int32), n, s, B: tl.constexpr, F: tl.constexpr):
    i = tl.arange(0, 16)
    j = i + s
    m = i < n
    x = tl.load(p + i, mask=m)
    y = tl.load(q + i)
    z = 0
    t = (x, y)
    acc = tl.zeros([16], tl.float32)
    u = x[:, None] + y[None, :]
    w = tl.zeros((16, 16), tl.float32)
    h16 = w.to(tl.float16)
    g16 = h16
    bp = tl.make_block_ptr(q, (n, n), (n, 1), (0, 0), (16, 16), (1, 0))
    desc = tl.make_tensor_descriptor(q, [n, n], [n, 1], [1, 16])
    tl.store_tensor_descriptor(tl.make_tensor_descriptor(q, shape=[z, min(triton.cdiv(B, 16), (F << 1e30))], strides=[-m, B], block_shape=[-1, (s).shape[16]], padding_option='nan'), [int(x), s], u)
    x = x
    x = x
    x = x
    x = x
    x = x
    x = x
