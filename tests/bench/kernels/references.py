# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""What the kernels of this folder must compute, written with NumPy in double precision.

Each function takes a launch (see launches.py): `a.x` is the tensor `x_ptr` before the run, read where it is indexed, and `a.eps`, `a.n_cols`,
`a.BLOCK` are scalars, sizes and constexprs. It returns the expected outputs by the names of the
arguments without `_ptr`: an array, or a pair of an index and what the output must hold there. Large launches are
checked at evenly spaced places (`every`), small ones everywhere.
"""

import numpy as np

# By a kernel's name: the function, sizes for the interpreter, bounds of errors by output, compute capability that it needs.
REFERENCES = {}


def reference(small, needs=80, **tolerances):
    """Registers a function under its name. `small` are sizes that the interpreter runs in milliseconds, with ragged edges where the
    kernel has masks; `tolerances` replace those of the outputs' types."""

    def register(function):
        REFERENCES[function.__name__] = (function, small, needs, tolerances)
        return function

    return register


def every(count, limit):
    """Indices of `count` elements, or of about `limit` of them, evenly spaced with an odd step."""
    return slice(None, None, 1 if count <= limit else count // limit | 1)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def erf(x):
    """Error function; off by at most 1.5e-7 (Abramowitz and Stegun, 7.1.26)."""
    t = 1 / (1 + 0.3275911 * np.abs(x))
    series = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    return np.sign(x) * (1 - series * np.exp(-x * x))


def gelu_tanh(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def log_sum_exp(x):
    peak = x.max(-1)
    return peak + np.log(np.exp(x - peak[..., None]).sum(-1))


def philox(seed, counters):
    """The four outputs of Philox-4x32-10 for 32-bit counters (Salmon et al., SC 2011)."""
    mask, half = np.uint64(0xFFFFFFFF), np.uint64(32)
    c0 = counters.astype(np.uint64) & mask
    c1, c2, c3 = (np.zeros_like(c0) for _ in range(3))
    k0, k1 = np.uint64(seed & 0xFFFFFFFF), np.uint64(seed >> 32)
    for _ in range(10):
        p0, p2 = np.uint64(0xD2511F53) * c0, np.uint64(0xCD9E8D57) * c2
        c0, c1, c2, c3 = (p2 >> half) ^ c1 ^ k0, p2 & mask, (p0 >> half) ^ c3 ^ k1, p0 & mask
        k0, k1 = (k0 + np.uint64(0x9E3779B9)) & mask, (k1 + np.uint64(0xBB67AE85)) & mask
    return c0, c1, c2, c3


def uniform(bits):
    """Numbers in [0, 1) as the kernel language makes them of 32 random bits."""
    signed = bits.astype(np.uint32).view(np.int32)
    return np.where(signed < 0, ~signed, signed).astype(np.float32) * np.float32(4.6566127342e-10)


# ---- norms ----

def layer_norm(a):
    s = every(a.n_rows, 512)
    x = a.x[s]
    mean = x.mean(-1, keepdims=True)
    rstd = 1 / np.sqrt(x.var(-1, keepdims=True) + a.eps)
    return {"out": (s, (x - mean) * rstd * a.weight[:] + a.bias[:]), "mean": (s, mean[:, 0]), "rstd": (s, rstd[:, 0])}


# The mean of many numbers around zero is small beside the rounding of their sum.
for name in ("layer_norm_fwd", "layer_norm_two_pass"):
    REFERENCES[name] = (layer_norm, "n_rows=5 n_cols=1500", 80, {"mean": 1e-4})


@reference("n_rows=11 n_cols=1000 n_programs=4", dw=1e-5, db=1e-5)
def layer_norm_bwd_dx(a):
    rows, columns = every(a.n_rows, 512), every(a.n_cols, 128)
    def terms(r, c):
        return (a.x[r, c] - a.mean[r][:, None]) * a.rstd[r][:, None], a.dy[r, c]
    xhat, dy = terms(rows, slice(None))
    wdy = dy * a.weight[:]
    dx = (wdy - xhat * (xhat * wdy).mean(-1, keepdims=True) - wdy.mean(-1, keepdims=True)) * a.rstd[rows][:, None]
    xhat, dy = terms(slice(None), columns)
    parts = [slice(program, None, a.n_programs) for program in range(a.n_programs)]
    return {"dx": (rows, dx),
            "dw": ((slice(None), columns), np.stack([(dy[p] * xhat[p]).sum(0) for p in parts])),
            "db": ((slice(None), columns), np.stack([dy[p].sum(0) for p in parts]))}


@reference("n_parts=70 n_cols=50")
def layer_norm_bwd_dw(a):
    s = every(a.n_cols, 1024)
    return {"dw": (s, a.partial_dw[:, s].sum(0)), "db": (s, a.partial_db[:, s].sum(0))}


@reference("n_rows=7 n_cols=1000")
def rms_norm_fwd(a):
    s = every(a.n_rows, 512)
    x = a.x[s]
    rstd = 1 / np.sqrt((x * x).mean(-1) + a.eps)
    return {"out": (s, x * rstd[:, None] * a.weight[:]), "rstd": (s, rstd)}


@reference("n_rows=70 n_cols=200", dw=1e-5)
def rms_norm_bwd(a):
    rows, columns = every(a.n_rows, 512), every(a.n_cols, 128)
    x, dy, rstd = a.x[rows], a.dy[rows], a.rstd[rows][:, None]
    m = dy * a.weight[:]
    dx = rstd * m - rstd**3 * (m * x).mean(-1, keepdims=True) * x
    terms = a.dy[:, columns] * a.x[:, columns] * a.rstd[:][:, None]
    dw = np.add.reduceat(terms, np.arange(0, a.n_rows, a.ROWS), axis=0)
    return {"dx": (rows, dx), "dw": ((slice(None), columns), dw)}


@reference("n_rows=5 n_cols=500", needs=89)
def add_rms_norm_quant(a):
    s = every(a.n_rows, 512)
    x = a.x[s] + a.residual[s]
    y = x / np.sqrt((x * x).mean(-1, keepdims=True) + a.eps) * a.weight[:]
    scale = np.abs(y).max(-1) / 448
    return {"sum": (s, x), "out": (s, y / scale[:, None]), "scale": (s, scale)}


@reference("batch=2 groups=2 channels=8 pixels=1500")
def group_norm_silu(a):
    s = every(a.batch, 4)
    x = a.x[s]
    grouped = x.reshape(len(x), a.groups, -1)
    mean, variance = grouped.mean(-1, keepdims=True), grouped.var(-1, keepdims=True)
    y = ((grouped - mean) / np.sqrt(variance + a.eps)).reshape(x.shape) * a.weight[:][:, None] + a.bias[:][:, None]
    return {"out": (s, y * sigmoid(y))}


@reference("n_rows=3 n_cols=5000", mean=1e-4)
def welford_variance(a):
    s = every(a.n_rows, 512)
    x = a.x[s]
    return {"mean": (s, x.mean(-1)), "variance": (s, x.var(-1))}


@reference("n_rows=600 channels=150", sum=1e-5)
def batch_norm_stats(a):
    s = every(a.channels, 32)
    x = np.where(a.gate[:][:, None] > 0.25, a.x[:, s], 0)
    return {"sum": (s, x.sum(0)), "squares": (s, (x * x).sum(0))}


# ---- rotary ----

@reference("tokens=5 q_heads=4 k_heads=2 dim=64")
def rope_half(a):
    s, half = every(a.tokens, 1024), a.dim // 2
    cos, sin = a.cos[s][:, None, :], a.sin[s][:, None, :]
    def rotate(x):
        first, second = x[..., :half], x[..., half:]
        return np.concatenate([first * cos - second * sin, second * cos + first * sin], -1)
    return {"q_out": (s, rotate(a.q[s])), "k_out": (s, rotate(a.k[s]))}


@reference("rows=50 dim=64 positions=20")
def rope_interleaved(a):
    s = every(a.rows, 16384)
    position = np.arange(a.rows)[s] % a.positions
    x, cos, sin = a.x[s], a.cos[:][position], a.sin[:][position]
    out = np.empty_like(x)
    out[:, ::2] = x[:, ::2] * cos - x[:, 1::2] * sin
    out[:, 1::2] = x[:, 1::2] * cos + x[:, ::2] * sin
    return {"out": (s, out)}


# ---- softmax ----

@reference("n_rows=5 n_cols=700")
def softmax_rows(a):
    s = every(a.n_rows, 512)
    return {"out": (s, softmax(a.x[s]))}


@reference("n_rows=3 n_cols=9000")
def softmax_online(a):
    s = every(a.n_rows, 128)
    return {"out": (s, softmax(a.x[s]))}


@reference("heads=2 queries=100")
def softmax_causal_scaled(a):
    s = every(a.heads, 2)
    x = a.x[s] * a.scale
    return {"out": (s, softmax(np.where(np.tri(a.queries, dtype=bool), x, -np.inf)))}


@reference("n_rows=7 n_cols=300")
def softmax_bwd(a):
    s = every(a.n_rows, 4096)
    y, dy = a.y[s], a.dy[s]
    return {"dx": (s, y * (dy - (y * dy).sum(-1, keepdims=True)))}


@reference("n_rows=11 n_cols=600")
def log_softmax(a):
    s = every(a.n_rows, 512)
    x = a.x[s]
    return {"out": (s, x - log_sum_exp(x)[:, None])}


# ---- losses ----

@reference("n_rows=4")
def cross_entropy_fwd(a):
    s = every(a.n_rows, 128)
    x, label = a.logits[s], a.label[s]
    lse = log_sum_exp(x)
    picked = np.take_along_axis(x, label[:, None], 1)[:, 0]
    loss = lse - (1 - a.smoothing) * picked - a.smoothing * x.mean(-1)
    return {"loss": (s, loss), "lse": (s, lse)}


@reference("n_rows=3")
def cross_entropy_bwd(a):
    s = every(a.n_rows, 128)
    x, label = a.logits[s], a.label[s]
    target = np.full_like(x, a.smoothing / a.vocabulary)
    target[np.arange(len(x)), label] += 1 - a.smoothing
    return {"dlogits": (s, (np.exp(x - a.lse[s][:, None]) - target) * a.dloss[s][:, None])}


@reference("n_rows=3 n_cols=5000")
def kl_divergence(a):
    s = every(a.n_rows, 128)
    target = a.target[s]
    loss = (target * (np.log(np.maximum(target, 1e-10)) - a.prediction[s])).sum(-1)
    return {"loss": (s, loss), "gradient": (s, -target)}


# ---- activations ----

@reference("n_rows=3 n_cols=1100")
def swiglu_fwd(a):
    s = every(a.n_rows, 256)
    gate = a.gate[s]
    return {"out": (s, gate * sigmoid(gate) * a.up[s])}


@reference("n=3000")
def swiglu_bwd(a):
    s = every(a.n, 1 << 20)
    dout, gate, up = a.dout[s], a.gate[s], a.up[s]
    value = sigmoid(gate)
    return {"dgate": (s, dout * up * (gate * value * (1 - value) + value)), "dup": (s, dout * gate * value)}


@reference("n_rows=3 n_cols=2500")
def geglu_fwd(a):
    s = every(a.n_rows, 256)
    x = a.x[s]
    return {"out": (s, x[:, :a.n_cols] * gelu_tanh(x[:, a.n_cols:]))}


@reference("n=5000")
def gelu_bwd(a):
    s = every(a.n, 1 << 20)
    x = a.x[s]
    density = np.exp(-0.5 * x * x) / np.sqrt(2 * np.pi)
    return {"dx": (s, a.dy[s] * (0.5 * (1 + erf(x * np.sqrt(0.5))) + x * density))}


@reference("n=5000")
def dropout_residual(a):
    place = np.arange(a.n)[every(a.n, 1 << 20)]
    program, lane = place // (4 * a.BLOCK), place % a.BLOCK
    bits = np.stack(philox(a.seed, program * a.BLOCK + lane))
    random = uniform(bits[place // a.BLOCK % 4, np.arange(len(place))])
    kept = np.where(random > a.p, a.x[place] / (1 - a.p), 0)
    return {"out": (place, kept + a.residual[place])}


# ---- quantization ----

# A number between two steps may go either way when it is rounded differently before.
@reference("n_rows=4 n_cols=1000", out=3e-3)
def quantize_rows_int8(a):
    s = every(a.n_rows, 512)
    x = a.x[s]
    peak = np.abs(x).max(-1)
    return {"out": (s, np.rint(x * 127 / peak[:, None])), "scale": (s, peak / 127)}


@reference("groups=40", needs=89)
def quantize_groups_fp8(a):
    s = every(a.groups, 16384)
    x = a.x[s]
    scale = np.abs(x).max(-1) / 448
    return {"out": (s, x / scale[:, None]), "scale": (s, scale)}


@reference("M=150 N=200", needs=89)
def dequantize_blocks_fp8(a):
    s = every(a.M, 512)
    row, column = np.arange(a.M)[s] // a.BLOCK, np.arange(a.N) // a.BLOCK
    return {"out": (s, a.x[s] * a.scale[:][row][:, column])}


@reference("n_words=700")
def pack_int4(a):
    s = every(a.n_words, 1 << 20)
    words = (a.x[s].astype(np.uint32) << np.arange(0, 32, 4, dtype=np.uint32)).sum(-1, dtype=np.uint32)
    return {"out": (s, words.view(np.int32))}


def nibbles(words, axis):
    """The eight 4-bit numbers of each word, along `axis`."""
    shifts = np.expand_dims(np.arange(0, 32, 4), tuple(i for i in range(words.ndim + 1) if i != axis + 1))
    values = np.expand_dims(words, axis + 1) >> shifts & 15
    return values.reshape([n * 8 if i == axis else n for i, n in enumerate(words.shape)])


@reference("K=256 N=100")
def unpack_int4(a):
    s = every(a.N, 512)
    scale = np.repeat(a.scale[:, s], a.GROUP, axis=0)
    return {"out": ((slice(None), s), (nibbles(a.packed[:, s], 0) - 8) * scale)}


@reference("n_words=300")
def pack_bits(a):
    s = every(a.n_words, 1 << 18)
    words = ((a.x[s] < 0).astype(np.uint32) << np.arange(32, dtype=np.uint32)).sum(-1, dtype=np.uint32)
    return {"out": (s, words.view(np.int32))}


# ---- products ----

def product(a, transposed, scale=1.0):
    s = every(a.M, 512)
    return s, a.a[s] @ (a.b[:].T if transposed else a.b[:]) * scale


def plain(a):
    s, c = product(a, False)
    return {"c": (s, c)}


def transposed(a):
    s, c = product(a, True)
    return {"c": (s, c)}


PRODUCT = "M=200 N=300 K=150"
ALIGNED_PRODUCT = "M=200 N=304 K=152"
REFERENCES |= {
    "matmul_fp16_modulo": (plain, PRODUCT, 80, {}),
    "matmul_persistent_flat": (plain, "M=260 N=390 K=150", 80, {}),
    "matmul_split_k_fp16": (plain, PRODUCT, 80, {"c": 3e-3}),
    "matmul_split_k_bf16": (plain, PRODUCT, 80, {"c": 8e-3}),
    "matmul_split_k_fp32": (plain, PRODUCT, 80, {"c": 1e-5}),
    "matmul_tf32": (plain, "M=200 N=150 K=100", 80, {"c": 2e-3}),
    "matmul_persistent_nested": (transposed, ALIGNED_PRODUCT, 80, {}),
    "matmul_descriptor": (transposed, ALIGNED_PRODUCT, 90, {}),
    "matmul_descriptor_persistent": (transposed, ALIGNED_PRODUCT, 80, {}),
}


@reference(ALIGNED_PRODUCT, needs=89)
def matmul_fp8(a):
    s, c = product(a, True, a.scale)
    return {"c": (s, c)}


@reference("M=100 N=200 K=384", needs=89)
def matmul_fp8_blocks(a):
    s = every(a.M, 256)
    x = a.a[s] * np.repeat(a.a_scale[s], 128, axis=1)
    weight = a.b[:] * np.repeat(np.repeat(a.b_scale[:], 128, axis=0)[:a.N], 128, axis=1)
    return {"c": (s, x @ weight.T)}


@reference("M=150 N=140 K=200")
def matmul_nt_bias_gelu(a):
    s = every(a.M, 512)
    x = a.x[s] @ a.weight[:].T + a.bias[:]
    return {"out": (s, 0.5 * x * (1 + erf(x * np.sqrt(0.5))))}


@reference("groups=8 rows=8192 N=128 K=64", c=1e-3)
def matmul_grouped(a):
    heights = a.height[:]
    ends = np.cumsum(heights)
    c = np.zeros((a.rows, a.N))
    s = every(a.rows, 512)
    rows = np.arange(a.rows)[s]
    for group, end in enumerate(ends):
        mine = rows[(rows >= end - heights[group]) & (rows < end)]
        c[mine] = a.a[mine] @ a.b[group]
    return {"c": (s, c[s])}


@reference("batch=2 M=150 N=140 K=100")
def matmul_batched_bias_gelu(a):
    s = every(a.batch, 4)
    return {"c": (s, gelu_tanh(a.a[s] @ a.b[s] + a.bias[s][:, None, :]))}


@reference("M=150 N=140 K=200")
def matmul_int8_weight(a):
    s = every(a.M, 512)
    return {"out": (s, a.x[s] @ a.weight[:].astype(float) * a.scale[:])}


# Weights are rounded to fp16 once they are scaled.
@reference("M=70 N=256 K=256", out=2e-3)
def matmul_int4_weight(a):
    s = every(a.M, 256)
    zero = np.repeat(nibbles(a.zero[:], 1), a.GROUP, axis=0)
    weight = (nibbles(a.weight[:], 0) - zero) * np.repeat(a.scale[:], a.GROUP, axis=0)
    return {"out": (s, a.x[s] @ weight)}


@reference("M=150 N=140 K=200")
def matmul_int8(a):
    s = every(a.M, 512)
    c = a.a[s].astype(float) @ a.b[:].astype(float).T
    return {"c": (s, c * a.a_scale[s][:, None] * a.b_scale[:])}


@reference("M=10 N=150 K=300")
def matmul_skinny(a):
    s = every(a.N, 2048)
    return {"out": ((slice(None), s), a.x[:] @ a.weight[s].T)}


@reference("M=20 K=1100", y=1e-5)
def matvec(a):
    s = every(a.M, 1024)
    return {"y": (s, a.a[s] @ a.x[:])}


# ---- attention ----

def scores(a, heads):
    return a.q[heads] @ np.swapaxes(a.k[heads], -1, -2) * a.scale


def attention_fwd(a):
    s = every(a.heads, 2)
    x = scores(a, s)
    return {"out": (s, softmax(x) @ a.v[s]), "lse": (s, log_sum_exp(x) / np.log(2))}


for name in ("attention_fwd_4_warps", "attention_fwd_8_warps"):
    REFERENCES[name] = (attention_fwd, "heads=2 length=256", 80, {"out": 1e-3})


@reference("heads=2 length=256")
def attention_causal(a):
    s = every(a.heads, 2)
    x = np.where(np.tri(a.length, dtype=bool), scores(a, s), -np.inf)
    return {"out": (s, softmax(x) @ a.v[s])}


@reference("heads=4 length=300 window=100")
def attention_grouped_window(a):
    out, heads = [], every(a.heads, 1 + (a.heads < 8))
    for head in range(a.heads)[heads]:
        x = a.q[head] @ a.k[head // a.SHARED].T * a.scale
        distance = np.arange(a.length)[:, None] - np.arange(a.length)
        x[(distance < 0) | (distance >= a.window)] = -np.inf
        out.append(softmax(x) @ a.v[head // a.SHARED])
    return {"out": (heads, np.stack(out))}


@reference("heads=2 length=256", out=1e-3)
def attention_descriptor(a):
    head = a.heads - 1
    rows = slice(head * a.length, (head + 1) * a.length)
    return {"out": (rows, softmax(a.q[rows] @ a.k[rows].T * a.scale) @ a.v[rows])}


@reference("rows=100")
def attention_bwd_delta(a):
    s = every(a.rows, 16384)
    return {"delta": (s, (a.out[s] * a.dout[s]).sum(-1))}


@reference("heads=2 length=256", dk=2e-3, dv=2e-3)
def attention_bwd_dkdv(a):
    s = every(a.heads, 2)
    p = np.where(np.tri(a.length, dtype=bool), np.exp(scores(a, s) - a.lse[s][..., None]), 0)
    dp = a.dout[s] @ np.swapaxes(a.v[s], -1, -2)
    ds = p * (dp - a.delta[s][..., None])
    return {"dv": (s, np.swapaxes(p, -1, -2) @ a.dout[s]), "dk": (s, np.swapaxes(ds, -1, -2) @ a.q[s] * a.scale)}


@reference("heads=2 length=256")
def attention_bwd_dq(a):
    s = every(a.heads, 2)
    p = np.exp(scores(a, s) - a.lse[s][..., None])
    ds = p * (a.dout[s] @ np.swapaxes(a.v[s], -1, -2) - a.delta[s][..., None])
    return {"dq": (s, ds @ a.k[s] * a.scale)}


@reference("batch=2 kv_heads=2", partial=5e-3, lse=1e-5)
def flash_decoding_split(a):
    s = every(a.batch, 3)
    lengths, tables = a.length[:], a.table[:]
    k, v = a.k, a.v
    partial, lse = [], []
    for batch in range(a.batch)[s]:
        length = lengths[batch]
        each = -(-(-(-length // a.splits)) // a.BLOCK_N) * a.BLOCK_N
        keys = k[tables[batch]].reshape(-1, a.kv_heads, 128)
        values = v[tables[batch]].reshape(-1, a.kv_heads, 128)
        for head in range(a.kv_heads):
            for split in range(a.splits):
                part = slice(split * each, min((split + 1) * each, length))
                x = a.q[batch, head] @ keys[part, head].T * a.scale
                partial.append(softmax(x) @ values[part, head])
                lse.append(log_sum_exp(x))
    shape = (-1, a.kv_heads, a.splits, 16)
    return {"partial": (s, np.reshape(partial, (*shape, 128))), "lse": (s, np.reshape(lse, shape))}


@reference("rows=20 splits=5")
def flash_decoding_combine(a):
    s = every(a.rows, 2048)
    return {"out": (s, (softmax(a.lse[s])[:, :, None] * a.partial[s]).sum(1))}


@reference("heads=2 length=256", out=6e-3)
def linear_attention_chunk(a):
    s = every(a.heads, 2)
    x = np.where(np.tri(a.length, dtype=bool), a.q[s] @ np.swapaxes(a.k[s], -1, -2), 0)
    return {"out": (s, x @ a.v[s])}


# ---- scans ----

@reference("n_rows=3 n_cols=5000", out=1e-5)
def cumsum_rows(a):
    s = every(a.n_rows, 512)
    return {"out": (s, np.cumsum(a.x[s], -1))}


@reference("n_rows=50")
def cumsum_small(a):
    s = every(a.n_rows, 16384)
    x = a.x[s]
    return {"forward": (s, np.cumsum(x, 1)), "reverse": (s, np.cumsum(x[:, ::-1], 1)[:, ::-1])}


@reference("batch=2 length=150 width=70", out=1e-5)
def cumsum_columns(a):
    s = every(a.batch, 4)
    return {"out": (s, np.cumsum(a.x[s], 1))}


def recurrence(decay, update):
    """h = decay * h + update along the second axis."""
    h, out = np.zeros_like(update[:, 0]), np.empty_like(update)
    for t in range(update.shape[1]):
        h = decay[:, t] * h + update[:, t]
        out[:, t] = h
    return out


@reference("n_rows=3 n_cols=2500", out=1e-5)
def linear_recurrence(a):
    s = every(a.n_rows, 256)
    return {"out": (s, recurrence(a.a[s], a.x[s]))}


@reference("batch=2 length=64 channels=32")
def selective_scan_chunk(a):
    s, channels = every(a.batch, 2), every(a.channels, 64)
    delta = a.delta[s, :, channels]
    decay = np.exp(delta[..., None] * a.a[channels])
    h = recurrence(decay, (delta * a.x[s, :, channels])[..., None] * a.b[s][:, :, None, :])
    return {"out": ((s, slice(None), channels), (h * a.c[s][:, :, None, :]).sum(-1))}


@reference("batch=2 length=40 channels=300")
def gated_recurrence(a):
    s = every(a.batch, 8)
    gate = sigmoid(a.gate[s])
    return {"out": (s, recurrence(gate, (1 - gate) * a.x[s]))}


@reference("heads=2 length=256", state=6e-3)
def gated_reduction(a):
    s = every(a.heads, 16)
    gate = a.gate[s].reshape(-1, a.length // a.CHUNK, a.CHUNK)
    decay = np.exp(gate.sum(-1, keepdims=True) - np.cumsum(gate, -1))
    shape = (*gate.shape, 64)
    return {"state": (s, np.swapaxes(a.k[s].reshape(shape) * decay[..., None], -1, -2) @ a.v[s].reshape(shape))}


# ---- convolutions ----

@reference("batch=2 length=40 channels=150")
def conv1d_causal(a):
    s = every(a.batch, 2)
    x, weight = a.x[s], a.weight[:]
    padded = np.pad(x, ((0, 0), (3, 0), (0, 0)))
    total = sum(padded[:, tap:tap + a.length] * weight[:, tap] for tap in range(4)) + a.bias[:]
    return {"out": (s, total * sigmoid(total))}


@reference("batch=2 size=9 channels=40 filters=70")
def conv2d_implicit_gemm(a):
    s = every(a.batch, 2)
    x = np.pad(a.x[s], ((0, 0), (1, 1), (1, 1), (0, 0)))
    taps = (x[:, i:i + a.size, j:j + a.size] @ a.weight[3 * i + j] for i in range(3) for j in range(3))
    return {"out": (s, sum(taps))}


@reference("batch=2 channels=3 size=30")
def conv2d_depthwise(a):
    s = every(a.batch, 2)
    x, weight = np.pad(a.x[s], ((0, 0), (0, 0), (1, 1), (1, 1))), a.weight[:][:, :, None, None]
    taps = (x[:, :, i:i + a.size, j:j + a.size] * weight[:, 3 * i + j] for i in range(3) for j in range(3))
    return {"out": (s, sum(taps))}


@reference("height=30 width=300")
def stencil_5_point(a):
    x = a.x[:]
    out = x.copy()
    out[1:-1, 1:-1] += a.rate * (x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:] - 4 * x[1:-1, 1:-1])
    return {"out": out}


# ---- mixture of experts ----

@reference("tokens=50")
def moe_route_topk(a):
    s = every(a.tokens, 16384)
    p = softmax(a.logits[s])
    # Equal logits are common in bf16: the first of them wins.
    chosen = np.argsort(-p, axis=1, kind="stable")[:, :4]
    weight = np.take_along_axis(p, chosen, 1)
    return {"weight": (s, weight / weight.sum(-1, keepdims=True)), "expert": (s, chosen)}


@reference("rows=200 N=130 K=64")
def moe_grouped_gemm(a):
    s = every(a.rows, 256)
    token, expert, weight = a.token[s], a.expert[:][np.arange(a.rows)[s] // a.BLOCK_M], a.weight[s]
    c = np.empty((len(token), a.N))
    for e in np.unique(expert):
        c[expert == e] = a.a[token[expert == e]] @ a.b[e].T
    return {"c": (s, c * weight[:, None])}


@reference("width=16")
def moe_combine(a):
    s = every(a.tokens, 512) if a.width > 16 else slice(None)
    return {"out": (s, (a.x[a.place[s]] * a.weight[s][:, :, None]).sum(1))}


@reference("n=10000")
def moe_count_tokens(a):
    return {"count": np.bincount(a.expert[:], minlength=64)}


# ---- embedding ----

@reference("tokens=7 width=64")
def embedding_gather(a):
    s = every(a.tokens, 1024)
    return {"out": (s, a.table[a.token[s]])}


@reference("tokens=30 vocabulary=20 width=100")
def embedding_bwd_atomic(a):
    s = every(a.width, 64)
    table = np.zeros((a.vocabulary, len(range(a.width)[s])))
    np.add.at(table, a.token[:], a.gradient[:, s])
    return {"table": ((slice(None), s), table)}


# ---- sampling ----

# Close to 1 the kernel's fp32 numbers are coarse, and their noise is as wrong.
@reference("rows=6 vocabulary=3000", best=5e-3, token=0.2)
def sample_gumbel(a):
    s = every(a.rows, 64)
    rows = np.arange(a.rows)[s]
    random = uniform(philox(a.seed, rows[:, None] * a.vocabulary + np.arange(a.vocabulary))[0]).astype(float)
    score = a.logits[s] / a.temperature - np.log(-np.log(random * 0.999998 + 1e-6))
    return {"best": (s, score.max(-1)), "token": (s, score.argmax(-1))}


@reference("n_rows=20")
def topk_rows(a):
    s = every(a.n_rows, 16384)
    return {"out": (s, -np.sort(-a.x[s], axis=1)[:, :8])}


@reference("n_rows=3")
def sort_rows(a):
    s = every(a.n_rows, 2048)
    return {"out": (s, np.sort(a.x[s], axis=1))}


# A sum that is as good as the bound decides one step of the bisection either way.
@reference("n_rows=4 n_cols=1000", threshold=1e-3, mass=1e-3)
def top_p_threshold(a):
    s = every(a.n_rows, 128)
    x = a.x[s]
    e = np.exp(x - x.max(-1, keepdims=True))
    need = a.p * e.sum(-1)
    low, high = np.zeros(len(x)), np.ones(len(x))
    def mass(bound):
        return np.where(e >= bound[:, None], e, 0).sum(-1)
    for _ in range(a.STEPS):
        middle = 0.5 * (low + high)
        enough = mass(middle) >= need
        low, high = np.where(enough, middle, low), np.where(enough, high, middle)
    return {"threshold": (s, low), "mass": (s, mass(low))}


@reference("n=100000")
def histogram_256(a):
    return {"count": np.bincount(a.x[:], minlength=256)}


# ---- memory ----

@reference("M=100 N=150")
def transpose_tiles(a):
    s = every(a.N, 1024)
    return {"out": (s, a.x[:, s].T)}


@reference("batch=2 length=50 heads=3")
def permute_heads(a):
    s = every(a.batch, 2)
    return {"out": (s, np.swapaxes(a.x[s], 1, 2))}


@reference("batch=2 length=100 width=90", sum=1e-5)
def batched_reduction(a):
    s = every(a.batch, 4)
    x = a.x[s]
    return {"sum": (s, x.sum(1)), "max": (s, x.max(1)), "square": (s, (x * x).mean(1))}


@reference("tokens=9 heads=4", k_cache=3e-3, v_cache=3e-3)
def paged_kv_write(a):
    s, expected = every(a.tokens, 1024), {}
    for name, x in (("k", a.k[s]), ("v", a.v[s])):
        scale = np.abs(x).max(-1) / 127
        y = x / scale[..., None]
        expected[f"{name}_cache"] = (s, np.trunc(y + np.copysign(0.5, y)))
        expected[f"{name}_scale"] = (s, scale)
    return expected


@reference("batch=2 pages_each=5 width=2048")
def paged_kv_gather(a):
    s = every(a.batch, 4)
    table = a.table[s]
    return {"out": (s, a.cache[table].reshape(*table.shape, a.width))}


@reference("n=3000")
def adam_step(a):
    s = every(a.n, 1 << 20)
    first = a.beta1 * a.first[s] + (1 - a.beta1) * a.gradient[s]
    second = a.beta2 * a.second[s] + (1 - a.beta2) * a.gradient[s] ** 2
    return {"new_first": (s, first), "new_second": (s, second),
            "new_parameter": (s, a.parameter[s] - a.rate * first / (np.sqrt(second) + a.eps))}
