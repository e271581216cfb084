// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <string_view>

/// What random kernels are made of. A line is a kind and a text of that kind, in which `$` and a
/// letter stand for something of the kind that the letter names:
///
///     v  values [16]      i  integers [16]    m  mask [16]        w  tile [16, 16]
///     h  half tile        s  scalar           n  small constant   c  condition
///     p  pointers [16]    q  one pointer      b  block pointer    d  tensor descriptor
///     k  tuple            a  any literal      t  element type     f  function     o  operator
///     r  shape            l  name of a variable  j  function of one argument     e  anything
///     L  statement        B  the head of a statement with a body
namespace tilescope::fuzz {

/// What a kind is when it must end: names that the kernel binds before anything else, and literals;
/// two blanks between them.
inline constexpr std::string_view kEnds = R"words(
v x  y  acc
i i  j
m m
w u  w
h h16  g16
s s  n  z
n 0  1  2  16  -1  B  C  3
c s > n  B == 16  F is None
p (p + i)  (r + i)
q p  q  r
b bp
d desc
k t  (x, y)  (2, x, (s, n))
a 0  3.5  1e30  0x7fffffff  -(1 << 63)  1 << 40  None  True  'tf32'  float('nan')  ()  [4, 4]  F
a V  f'{B}_{C}'  tl.constexpr(8)
t tl.float32  tl.int32  tl.float16  tl.bfloat16  tl.int64  tl.int1  tl.uint8  tl.int16  tl.uint32
t tl.uint64  tl.float64  tl.float8e5  tl.float8e4nv  tl.float8e4b15  x.dtype
t tl.pointer_type(tl.float32)
f f  g  add  first  tl.maximum  (lambda a, b: a * b)
r [16]  [4, 4]  (16, 16)  [16, 1]  x.shape  [2, 2, 4]  (B, C, C)
l x  y  acc  i  u  s  t  new  C  missing
o +  -  *  /  //  %  &  |  ^  <<  >>  <  <=  ==  !=  >  >=  and  or  **  is  is not  @  in
j exp  exp2  log  log2  sin  cos  sqrt  rsqrt  abs  ceil  floor  erf  tanh  isnan  popc  clz
j signbit  ilogb  cbrt  float_as_int  float2int_rz  double2float_rn  rcp_rn  saturatef  fast_expf
j brev
)words";

/// Every function of the language, every keyword of it, and every form of expression.
inline constexpr std::string_view kProductions = R"words(
v ($v $o $v)
v ($v $o $a)
v ($v $o $s)
v (-$v)
v ($v if $c else $v)
v tl.load($p)
v tl.load($p, mask=$m, other=$a)
v tl.load($p, $m, cache_modifier='.cg', eviction_policy='evict_last')
v tl.load($p, $m, $v, volatile=True)
v tl.where($m, $v, $e)
v tl.zeros([B], $t)
v tl.zeros_like($v)
v tl.full([16], $a, $t)
v $v.to($t)
v $v.to($t, bitcast=True)
v $v.to($t, fp_downcast_rounding='rtz')
v tl.cast($v, $t)
v tl.$j($v)
v tl.log2(tl.abs($v))
v tl.sqrt_rn($v.to(tl.float32))
v tl.erf($v.to(tl.float64))
v tl.fma($v, $v, $v)
v tl.fdiv($v, $v, ieee_rounding=True)
v tl.div_rn($v, $v)
v tl.minimum($v, $e)
v tl.maximum($v, $v, propagate_nan=tl.PropagateNan.ALL)
v tl.clamp($v, $e, $e)
v tl.sigmoid($v)
v tl.softmax($v)
v tl.floor($v)
v tl.math.$j($v)
v tl.extra.cuda.libdevice.pow($v, $v)
v tl.extra.libdevice.tanh($v)
v libdevice.$j($v)
v libdevice.fma_rn($v, $v, $v)
v tl.rand($s, $i)
v tl.randn($s, $i, n_rounds=$n)
v tl.uint_to_uniform_float($i)
v tl.sum($w, axis=$n)
v tl.max($w, $n, keep_dims=True)
v tl.sum($w, 1, dtype=$t)
v tl.reduce($w, $n, $f)
v tl.cumsum($v, $n, reverse=True)
v tl.cumprod($v, dtype=$t)
v tl.associative_scan($v, $n, $f)
v tl.associative_scan($v, 0, add, reverse=$c)
v tl.sort($v, descending=$c)
v tl.flip($v, $n)
v tl.bitonic_merge($v)
v tl.topk($v, $n)
v tl.gather($v, $i, $n)
v tl.cat($v, $v, can_reorder=True)
v tl.cat($v, $v, dim=$n)
v tl.interleave($v, $v)
v tl.reshape($e, $r)
v tl.view($v, $r)
v tl.ravel($w)
v tl.squeeze($w[:, None], $n)
v tl.broadcast_to($s, $r)
v tl.multiple_of($v, $n)
v tl.max_contiguous($v, [$n])
v tl.expect_zero($v, $m)
v tl.map_elementwise($f, $v, $e)
v tl.map_elementwise(choose, $v, $v, pack=$n)
v tl.inline_asm_elementwise('mov.b32 $$0, $$1;', '=r,r', [$v], $t, True, $n)
v tl.extern_elementwise('', '', [$v], {(tl.float32,): ('__nv_tanf', tl.float32)}, True)
v tl.atomic_add($p, $v)
v tl.atomic_max($p, $v, mask=$m, sem='relaxed')
v tl.atomic_min($p, $e, $m, 'acquire', scope='cta')
v tl.atomic_xchg($p, $v, sem=$a)
v tl.atomic_cas($p, $v, $v, scope='sys')
v desc.gather($i, $s)
v $f($v, $e)
v grown($v, $e)
v halve($v, $n)
v early($v)
v apart($e)
v $k[$n]
v (new := $v)
i ($i $o $i)
i ($i $o $n)
i ~$i
i tl.arange($n, $n)
i tl.arange(0, B)
i $v.to(tl.int32)
i tl.argmax($w, $n, tie_break_left=$c)
i tl.argmin($w, $n, keep_dims=True)
i tl.xor_sum($w.to($t), $n)
i tl.reduce_or($i, $n, keep_dims=$c)
i tl.histogram($i, $n, mask=$m)
i tl.umulhi($i, $i)
i tl.randint($s, $i)
i tl.randint4x($s, $i)[$n]
i tl.philox($s, $i, $i, $i, $i)[0]
i libdevice.popc($i)
i tl.atomic_and($p.to(tl.pointer_type($t), bitcast=True), $i)
i tl.atomic_or($p, $i)
i tl.atomic_xor($p, $i, mask=$m)
i tl.cdiv($i, $e)
i tl.max_constancy($i, $n)
m ($i < $s)
m ($v $o $v)
m ($m & $m)
m ($m and $m)
m (not $m)
m libdevice.isnan($v)
c $s < $s
c $n >= $n
c $t == $t
c $a == $a
c not $c
c $c and $c
c $s > 0 or $c
c isinstance($e, tl.tensor)
c hasattr($e, 'to')
c $e is not None
c $n in ($n, $n)
c $t.is_floating()
c tl.sum($m.to(tl.int32)) > 0
c $e
w ($w $o $w)
w ($w $o $v[:, None])
w $v[None, :]
w tl.expand_dims($v, $n)
w tl.unsqueeze($v, $n)
w tl.zeros((16, 16), $t)
w tl.dot($h, $h)
w tl.dot($h, $h, acc=$w, out_dtype=$t)
w tl.dot($w, $w, $w, input_precision='tf32x3')
w tl.dot($h.to($t), $h.to($t), max_num_imprecise_acc=$n)
w tl.dot($w, $w, allow_tf32=$c)
w tl.dot_scaled($h, None, 'fp16', $h, None, 'fp16')
w tl.dot_scaled($w.to(tl.uint8), $e, 'e5m2', $w.to(tl.float8e5), None, 'e5m2', acc=$w)
w tl.trans($w)
w $w.T
w tl.permute($w, (1, 0))
w tl.permute($e, $r)
w tl.trans($w, $n, $n)
w tl.join($v, $v)
w tl.broadcast_to($w, (16, 16))
w tl.reshape($v, 4, 4)
w $w.reshape($r, can_reorder=True)
w tl.load($b, boundary_check=(0, 1), padding_option='nan')
w tl.load($b, boundary_check=($n,))
w tl.load($b)
w tl.load($q + $i[:, None] * $s + $i[None, :])
w $d.load([$s, $s])
w tl.load_tensor_descriptor($d, [$s, $e])
w tl.cumsum($w, $n)
w tl.sort($w, dim=$n)
w tl.gather($w, $w.to(tl.int32), $n)
w $w.to($t)
w tl.where($w > 0, $w, $e)
w $f($w, $w)
h $w.to(tl.float16)
h ($h * 0.5)
h tl.trans($h)
s ($s $o $s)
s ($s $o $n)
s tl.program_id($n)
s tl.num_programs(axis=$n)
s tl.load($q)
s tl.load($q + $s, mask=$c, other=$a)
s tl.sum($v)
s tl.max($v, $n)
s tl.argmin($v, 0)
s tl.reduce($v, 0, $f)
s tl.reduce($w, None, add)
s tl.cdiv($s, $n)
s tl.swizzle2d($s, $s, $s, $s, $n)[0]
s tl.atomic_add($q, $s)
s tl.atomic_cas($q, $s, $s, sem='acquire')
s tl.atomic_poll($q, $s)
s tl.to_tensor($n)
s tl.reshape($v, ())
s tl.item($v)
s $s.to($t)
s min($s, $e)
s max($s, $s, $n)
s int($e)
s tl.extra.cuda.smid()
s tl.extra.cuda.globaltimer()
s $s if $c else $s
s early($s)
n ($n $o $n)
n -$n
n ($e).shape[$n]
n ($e).numel
n len($k)
n twice($n)
n $t.primitive_bitwidth
n $n if $c else $n
n triton.next_power_of_2($n)
n triton.cdiv($n, $n)
n tl.extra.cuda.num_warps()
n min($n, $n)
p ($q + $i)
p ($p + $s)
p ($p - $i)
p tl.where($m, $p, $p)
p $i.to(tl.int64).to(tl.pointer_type($t), bitcast=True)
q ($q + $s)
q $q.to(tl.pointer_type($t))
b tl.advance($b, ($s, $n))
b $b.advance([$n, $s])
b tl.make_block_ptr($q, ($s, $s), ($s, 1), ($s, $n), ($n, $n), (1, 0))
b tl.make_block_ptr(base=$q, shape=[$s], strides=[$n], offsets=[$s], block_shape=[16], order=[0])
d tl.make_tensor_descriptor($q, [$s, $s], [$s, 1], [16, 16])
d tl.make_tensor_descriptor($q, shape=[$s, $n], strides=[$n, $n], block_shape=$r, padding_option='nan')
k ($e, $e)
k [$e, $n, $e]
k ($k + $k)
k ($k * $n)
k $k[$n:$n]
k [$e for new in $k]
k [new for new in $k if $c]
k Pair($e, $e)
k tl.split(tl.join($v, $v))
k tl.broadcast($e, $e)
k tl.max($v, 0, return_indices=True, return_indices_tie_break_left=$c)
k tl.reduce(($v, $i), 0, first)
k tl.associative_scan(($v, $v), $n, first)
k tl.rand4x($s, $i)
k tl.randn4x($s, $i)
k tl.map_elementwise(first, $v, $v, $v, $v)
k tl.inline_asm_elementwise('', '=r,=r,r', [$v], ($t, $t), is_pure=False, pack=1)
k tl.pair_uniform_to_normal($v, $v)
k first($e, $e, $e, $e)
k $d.shape
a $k
a Pair($e, $e).left
a getattr($e, 'dtype')
a ($a $o $a)
t ($e).dtype
t $q.dtype.element_ty
t tl.dtype('fp16')
r [$n, $n]
r ($e).shape
r ($n, $r)
L $l = $e
L x = $v
L y = $v
L acc += $v
L i = $i
L m = $m
L u = $w
L w = tl.dot(h16, g16, w)
L h16 = $h
L s = $s
L z += $n
L bp = $b
L t = $k
L $l, $l = $k
L $l, ($l, $l) = $k
L $l: tl.constexpr = $n
L $l: tl.constexpr = $e
L C = $n
L tl.store($p, $v)
L tl.store($p, $v, mask=$m, cache_modifier='.wb', eviction_policy='evict_first')
L tl.store($q, $s)
L tl.store($b, $w, boundary_check=(0, 1))
L tl.store($q + $i[:, None] + $i[None, :], $w)
L $d.store([$s, $s], $w)
L $d.atomic_add([$s, $n], $w)
L $d.atomic_min([$s, $n], $e)
L tl.store_tensor_descriptor($d, [$s, $s], $w)
L desc.scatter($w, $i, $s)
L tl.static_assert($c, 'said')
L tl.static_print($e, $a)
L tl.device_assert($c, 'said', mask=$m)
L tl.device_print('shown', $e, hex=True)
L print('shown', $e)
L assert $c, 'said'
L tl.assume($c)
L tl.debug_barrier()
L tl.extra.cuda.gdc_wait()
L $e
L return $e
L return
L pass
L $l = $l = $e
L (x if $c else y).$l($e)
L tl.inline_asm_elementwise('bar.sync 0;', '=r', [], tl.int32, False, 1)
B if $c:
B if $s > $n:
B if B == $n:
B for $l in range($n):
B for new in range($s, $e, $n):
B for new in tl.range(0, $s, num_stages=3, loop_unroll_factor=$n):
B for new in tl.range($n, $n, $n, warp_specialize=True, flatten=True, disable_licm=True):
B for C in tl.static_range(3):
B for $l in tl.static_range($n, $n):
B while $c:
B while s < $n:
B while tl.condition($c, disable_licm=True):
B for new in $k:
B with $e:
)words";

/// What stands before a grown device function `grown(a, b)` and the grown kernel.
inline constexpr std::string_view kPreamble = R"(import triton
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
)";

/// The grown kernel's first lines; `$t` as everywhere.
inline constexpr std::string_view kKernel = R"(
@triton.jit
def k(p: tl.pointer_type($t), q, r: tl.pointer_type(tl.int32), n, s, B: tl.constexpr, F: tl.constexpr):
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
)";

} // namespace tilescope::fuzz
