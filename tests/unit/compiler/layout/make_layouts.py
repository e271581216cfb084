#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes layouts.jsonl: layouts by an implementation that shares nothing with the compiler's.

Layouts here are dictionaries of dictionaries, computed element by element; run it only to extend the table:
    make_layouts.py > layouts.jsonl
"""
import itertools
import json


# GF(2) layout kit. A layout = {in_dim: [ {out_dim: value}, ... one dict per input bit ]}; sizes = ordered {out_dim: pow2}
class LL:
    def __init__(s, bases=None, sizes=None): s.b = bases or {}; s.sz = dict(sizes or {})     # sizes order = minor..major
    def __mul__(s, o):                       # direct sum: o's out bits sit above s's out bits
        b = {k: [dict(v) for v in vs] for k, vs in s.b.items()}
        for k, vs in o.b.items():
            b.setdefault(k, []).extend({d: x * s.sz.get(d, 1) for d, x in v.items()} for v in vs)
        sz = dict(s.sz)
        for d, n in o.sz.items(): sz[d] = sz.get(d, 1) * n
        return LL(b, sz)
    def order_outs(s, dims): return LL(s.b, {d: s.sz.get(d, 1) for d in dims})
    def apply(s, **at):                      # hardware location -> tensor index
        r = {d: 0 for d in s.sz}
        for k, x in at.items():
            for i, v in enumerate(s.b.get(k, [])):
                if x >> i & 1:
                    for d, y in v.items(): r[d] ^= y
        return r
def iden(n, i, d): return LL({i: [{d: 1 << j} for j in range(n.bit_length() - 1)]}, {d: n})
def zero(n, i, d): return LL({i: [{} for _ in range(n.bit_length() - 1)]}, {d: 1})
def idenND(i, shape, order):                 # order: fastest dim first
    r = LL()
    for d in order: r = r * iden(shape[d], i, d)
    return r
def fit(cta, shape, cga=None, first="register"):   # extend / clip to the tensor shape, then add the CTA ("block") part
    cga = cga or LL({"block": []}, {d: 1 for d in range(len(shape))})
    want = {d: max(1, shape[d] // min(cga.sz.get(d, 1), shape[d])) for d in cta.sz}
    for d in list(cta.sz):                   # too small -> repeat in registers, walking dims minor to major
        if cta.sz[d] < want[d]: cta = cta * iden(want[d] // cta.sz[d], first, d)
    for k in cta.b:                          # too big -> drop the bits that fall outside (become broadcast zeros)
        cta.b[k] = [{d: x for d, x in v.items() if x < want[d]} for v in cta.b[k]]
    cta.sz = {d: min(n, want[d]) for d, n in cta.sz.items()}
    cga.b["block"] = [{d: x for d, x in v.items() if x < shape[d]} for v in cga.b["block"]]
    return cta * cga
def blocked(shape, spt, tpw, wpc, order, cga=None):
    return fit(idenND("register", spt, order) * idenND("lane", tpw, order) * idenND("warp", wpc, order), shape, cga)
def mma_tile(m, n, kw, inner, outer, rep):   # 8x4 lane tile used by mma.sync / wgmma fragments
    t = LL({}, {d: 1 for d in rep})
    return (t * iden(kw, "register", inner) * iden(4, "lane", inner) * iden(8, "lane", outer)
              * iden(m // 8, "register", outer) * iden(n // (kw * 4), "register", inner))
def mma_acc(shape, instr, warps, hopper, cga=None):      # rank 2
    t = mma_tile(instr[0], instr[1], 2, 1, 0, [1, 0])
    return fit(t * idenND("warp", warps, [0, 1] if hopper else [1, 0]), shape, cga)
def mma_dotop(shape, op, kw, instr, warps, hopper=False, cga=None):
    kt = kw * (4 if instr[0] == 8 else 8)
    if op == 0: t = mma_tile(instr[0], kt, kw, 1, 0, [1, 0])
    else:       t = mma_tile(8, kt, kw, 0, 1, [0, 1])
    kdim = 1 if op == 0 else 0
    for d in ([0, 1] if hopper else [1, 0]):
        t = t * (zero(warps[d], "warp", d) if d == kdim else iden(warps[d], "warp", d))
    return fit(t, shape, cga)
def slice_(parent, dim):
    b = {k: [{d - (d > dim): x for d, x in v.items() if d != dim} for v in vs] for k, vs in parent.b.items()}
    b["register"] = [v for v in b["register"] if v]
    return LL(b, {d - (d > dim): n for d, n in parent.sz.items() if d != dim})
def swizzled(shape, vec, per, mx, order):    # offset (elements) -> index
    c, r = order[0], order[1]
    L = LL({"offset": [{c: 1 << i} for i in range(shape[c].bit_length() - 1)] +
            [{r: 1 << i, c: (vec * ((1 << i) // per % mx)) % shape[c]} for i in range(shape[r].bit_length() - 1)]},
           {c: shape[c], r: shape[r]})
    for d in order[2:]: L = L * iden(shape[d], "offset", d)
    return L
def nvmma2d(shape, swz, bits, transposed=False):   # offset (elements) -> index, one CTA, swz in {32,64,128}
    r, c = (1, 0) if transposed else (0, 1)
    cols = 8 * max(16, swz) // bits; vec = 128 // bits; per = 128 // swz; mx = swz // 16
    L = LL({"offset": [{c: 1 << i} for i in range(cols.bit_length() - 1)] +
            [{r: 1 << i, c: vec * ((1 << i) // per % mx)} for i in range(3)]}, {r: 8, c: cols})
    L = L * iden(shape[r] // 8, "offset", r)        # stack 8-row atoms first ...
    return L * iden(shape[c] // cols, "offset", c)  # ... then the next swizzle-wide column strip


def emit(kind, shape, layout, **params):
    rank = len(shape)
    bases = {k: [[v.get(d, 0) for d in range(rank)] for v in vs] for k, vs in layout.b.items()}
    print(json.dumps({"kind": kind, "shape": shape, **params, "bases": bases}, separators=(",", ":")))


def pow2(*logs):
    return [[1 << x for x in log] for log in itertools.product(*logs)]


def main():
    for shape in [[1, 1], [2, 64], [16, 16], [128, 32], [32, 256]]:
        for spt in pow2([0, 1, 3], [0, 2]):
            for tpw, wpc in [([4, 8], [2, 2]), ([1, 32], [4, 1]), ([32, 1], [1, 4])]:
                for order in [[0, 1], [1, 0]]:
                    p = dict(spt=spt, tpw=tpw, wpc=wpc, order=order)
                    b = blocked(shape, spt, tpw, wpc, order)
                    emit("blocked", shape, b, **p)
                    if spt == [2, 4]:
                        for dim in [0, 1]:
                            emit("slice", [shape[1 - dim]], slice_(b, dim), parent=shape, dim=dim, **p)
    for shape in [[4, 8, 16], [1, 64, 2]]:
        for order in itertools.permutations(range(3)):
            p = dict(spt=[1, 2, 4], tpw=[2, 4, 4], wpc=[2, 1, 2], order=list(order))
            b = blocked(shape, *[p[k] for k in ("spt", "tpw", "wpc", "order")])
            emit("blocked", shape, b, **p)
            for dim in range(3):
                emit("slice", shape[:dim] + shape[dim + 1:], slice_(b, dim), parent=shape, dim=dim, **p)
    for shape in [[8, 8], [16, 8], [64, 64], [128, 16], [32, 256]]:
        for warps in [[1, 1], [4, 1], [1, 4], [2, 2], [4, 2]]:
            for instr in [[16, 8], [8, 8]]:
                emit("mma", shape, mma_acc(shape, instr, warps, False), version=2, instr=instr, wpc=warps)
                for op, kw in itertools.product([0, 1], [1, 2, 4, 8]):
                    emit("mma_operand", shape, mma_dotop(shape, op, kw, instr, warps), version=2, instr=instr,
                         wpc=warps, operand=op, kw=kw)
    for shape in [[64, 64], [128, 16], [128, 256]]:
        for warps in [[4, 1], [4, 2], [8, 1], [4, 4]]:
            for n in [8, 16, 64]:
                emit("mma", shape, mma_acc(shape, [16, n], warps, True), version=3, instr=[16, n, 16], wpc=warps)
            emit("mma_operand", shape, mma_dotop(shape, 0, 2, [16, 8], warps, True), version=3,
                 instr=[16, 8, 16], wpc=warps, operand=0, kw=2)
    for shape in [[8, 8], [16, 64], [128, 32], [64, 256]]:
        for vec, per, mx in itertools.product([1, 4, 8], [1, 2], [1, 4, 8]):
            for order in [[0, 1], [1, 0]]:
                emit("swizzled", shape, swizzled(shape, vec, per, mx, order), vec=vec, per=per, max=mx, order=order)
    emit("swizzled", [4, 8, 32], swizzled([4, 8, 32], 4, 1, 8, [2, 1, 0]), vec=4, per=1, max=8, order=[2, 1, 0])
    for shape, swz, bits, tr in itertools.product([[8, 128], [64, 128], [128, 256]], [32, 64, 128], [8, 16, 32],
                                                  [False, True]):
        contiguous = shape[0] if tr else shape[1]
        if contiguous * bits >= 8 * swz:
            emit("nvmma", shape, nvmma2d(shape, swz, bits, tr), swz=swz, bits=bits, transposed=tr)


if __name__ == "__main__":
    main()
