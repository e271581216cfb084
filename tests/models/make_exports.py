#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Makes the small `.pt2` files of tests/models/exports, with inputs and PyTorch's outputs.

Usage: make_exports.py DIR. Needs PyTorch (made with 2.15.0); the tests that use the files do not. Each file is as
`torch.export.save` writes it, without stack traces and sample inputs, which no reader needs.
"""

import io
import json
import pathlib
import sys
import zipfile

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F


class Mlp(nn.Module):
    """Rows of any number: linear layers with biases and without, activations, a buffer."""

    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(6, 16), nn.Linear(16, 4, bias=False)
        self.register_buffer("scale", torch.tensor([2.0, 0.5, 1.0, 3.0]))

    def forward(self, x):
        return torch.softmax(self.second(F.gelu(self.first(x))) * self.scale, dim=-1)


class Convnet(nn.Module):
    """Convolutions, batch norms, a change in place, pools, a residual, a transposed weight."""

    def __init__(self):
        super().__init__()
        self.stem, self.norm = nn.Conv2d(3, 8, 3, stride=2, padding=1, bias=False), nn.BatchNorm2d(8)
        self.deep = nn.Conv2d(8, 8, 3, padding="same", groups=8)
        self.last = nn.Parameter(torch.randn(300, 8).t())
        self.norm.running_mean.normal_()
        self.norm.running_var.uniform_(0.5, 2)

    def forward(self, x):
        y = F.max_pool2d(self.norm(self.stem(x)), 3, stride=2, padding=1, ceil_mode=True)
        y = F.relu(y, inplace=True)
        y += F.hardswish(self.deep(y))
        return F.adaptive_avg_pool2d(y, 1).flatten(1) @ self.last


class Attention(nn.Module):
    """Embeddings, a layer norm, causal attention of several heads, views and splits, a sequence of any length."""

    def __init__(self):
        super().__init__()
        self.tokens, self.places = nn.Embedding(20, 16), nn.Embedding(12, 16)
        self.norm, self.three, self.out = nn.LayerNorm(16), nn.Linear(16, 48), nn.Linear(16, 16)

    def forward(self, tokens):
        batch, length = tokens.shape
        x = self.tokens(tokens) + self.places(torch.arange(length))
        q, k, v = self.three(self.norm(x)).split(16, dim=-1)
        q, k, v = (each.view(batch, length, 4, 4).transpose(1, 2) for each in (q, k, v))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return x + self.out(y.transpose(1, 2).reshape(batch, length, 16))


class MaskedAttention(nn.Module):
    """Attention as models have it: with truth values of which keys are seen, or with a causal mask, heads of keys that several heads of queries share."""

    def __init__(self):
        super().__init__()
        self.q, self.k, self.v = (nn.ModuleList(nn.Linear(32, width) for _ in range(3)) for width in (32, 16, 16))
        self.register_buffer("past", torch.ones(24, 24, dtype=torch.bool).tril()[None, None])

    def factors(self, x, layer):
        q, k, v = (each[layer](x).unflatten(2, (-1, 8)).transpose(1, 2) for each in (self.q, self.k, self.v))
        return q, *(each[:, :, None].expand(-1, -1, 2, -1, -1).reshape(q.shape) for each in (k, v))

    def forward(self, x, seen):
        length = x.shape[1]
        q, k, v = self.factors(x, 0)
        # No query of the second sequence sees a key.
        a = F.scaled_dot_product_attention(q, k, v, attn_mask=seen[:, None, None, :])
        q, k, v = self.factors(x, 1)
        scores = (q @ k.transpose(2, 3)) / 8**0.5
        b = scores.masked_fill(~self.past[:, :, :length, :length], torch.finfo(x.dtype).min).softmax(-1) @ v
        q, k, v = self.factors(x, 2)
        c = (q @ k.transpose(2, 3) * 0.3 + (~seen[:, None, None, :]) * -1e9).softmax(-1) @ v
        return a, b, c


class Movement(nn.Module):
    """What takes tensors apart and puts them together, and numbers of several types."""

    def forward(self, x, at):
        a = torch.cat([x[:, 1:3], x[:, -1:].expand(-1, 2, -1), torch.stack([x[:, 0], x[:, 3]], 1)], 1)
        b = F.pad(torch.roll(x.flip(2), (1, -2), (1, 2)), (1, 0, 0, 2), value=0.5)
        c = torch.where(x > 0, x, x.new_full((), -1.0)).masked_fill(x < -0.5, 0).unflatten(2, (3, 2)).squeeze(0)
        d = x[:, at, at + 1] + x.mean(dim=(1, 2), keepdim=True)[:, 0]
        e = (at * 3 - 7) // 2 + at % 2
        f = x.var(dim=2) + x.amax(2) - x.square().sum(-1).rsqrt().clamp(max=0.7) + torch.cumsum(x, 1).argmax(2)
        return a, b, c, d, e, f


class Resized(nn.Module):
    """Images of other extents, a transposed convolution, a group norm."""

    def __init__(self):
        super().__init__()
        self.up, self.norm = nn.ConvTranspose2d(4, 6, 3, stride=2, padding=1, output_padding=1), nn.GroupNorm(3, 6)

    def forward(self, x):
        y = F.silu(self.norm(self.up(x)))
        z = F.interpolate(x, scale_factor=2, mode="bilinear", align_corners=False)
        return torch.cat([F.interpolate(y, size=(9, 5), mode="nearest"), F.interpolate(z, size=(9, 5), mode="bilinear", align_corners=True)], 1)


class Slices(nn.Module):
    """Changes in place through slices and places, of tensors that are used afterwards."""

    def forward(self, x, y):
        z = torch.zeros(4, 6, 5)
        for i, rows in enumerate((slice(0, 2), slice(1, 4))):
            z[rows, 1:3] += x[rows, 1:3] * (i + 1)
        z[0] = y
        z[-1, 2:, 3] = 7.0
        w = x.clone()
        w[:, 0].mul_(2)
        w[1:3, :, 1:-1].copy_(x[0:2, :, 1:-1])
        return z, w


def stripped(value):
    """Without what only PyTorch's own messages need."""
    if isinstance(value, dict):
        return {key: {} if key == "metadata" else [] if key == "module_call_graph" else stripped(each) for key, each in value.items()}
    return [stripped(each) for each in value] if isinstance(value, list) else value


def repack(data, path):
    """Stored, as PyTorch has it, with elements at multiples of 64 bytes."""
    with zipfile.ZipFile(io.BytesIO(data)) as source, zipfile.ZipFile(path, "w") as target:
        for entry in source.infolist():
            name = "model/" + entry.filename.split("/", 1)[1]
            if "sample_inputs" in name or ".data" in name:
                continue
            content = source.read(entry)
            if name.endswith(".json"):
                content = json.dumps(stripped(json.loads(content)), separators=(",", ":")).encode()
            info = zipfile.ZipInfo(name)
            begin = target.fp.tell() + 30 + len(name)
            pad = -begin % 64
            info.extra = b"FB" + (pad - 4).to_bytes(2, "little") + bytes(pad - 4) if pad >= 4 else b""
            target.writestr(info, content)


def early(program, path):
    """As PyTorch 2.5 to 2.7 write it: weights in a pickle of `torch.save`."""
    from torch._export.serde.serialize import serialize

    artifact = serialize(program)
    with zipfile.ZipFile(path, "w") as target:
        for name, content in (("version", b"8.8"), ("serialized_exported_program.json", artifact.exported_program),
                              ("serialized_state_dict.pt", artifact.state_dict), ("serialized_constants.pt", artifact.constants)):
            if name.endswith(".json"):
                content = json.dumps(stripped(json.loads(content)), separators=(",", ":")).encode()
            target.writestr(zipfile.ZipInfo(name), content)


def write(folder, module, inputs, dynamic=None, decompose=False, layout="new"):
    module = module.eval()
    with torch.no_grad():
        outputs = module(*inputs)
        program = torch.export.export(module, inputs, dynamic_shapes=dynamic)
        if decompose:
            program = program.run_decompositions()
    folder.mkdir(parents=True, exist_ok=True)
    if layout == "early":
        early(program, folder / "model.pt2")
    else:
        buffer = io.BytesIO()
        torch.export.save(program, buffer)
        repack(buffer.getvalue(), folder / "model.pt2")
    for part, specs, kind, tensors in (("in", program.graph_signature.input_specs, "USER_INPUT", inputs),
                                       ("out", program.graph_signature.output_specs, "USER_OUTPUT", outputs)):
        (folder / part).mkdir(exist_ok=True)
        names = [spec.arg.name for spec in specs if spec.kind.name == kind]
        for name, tensor in zip(names, tensors if isinstance(tensors, tuple) else (tensors,), strict=True):
            np.save(folder / part / f"{name}.npy", tensor.numpy())


def main():
    root = pathlib.Path(sys.argv[1])
    torch.manual_seed(1)
    some = torch.export.Dim.AUTO
    mlp, convnet, attention = Mlp(), Convnet(), Attention()
    image, tokens = torch.randn(2, 3, 13, 10), torch.randint(0, 20, (2, 7))
    write(root / "mlp", mlp, (torch.randn(5, 6),), ({0: some},))
    write(root / "mlp-early", mlp, (torch.randn(5, 6),), ({0: some},), layout="early")
    write(root / "convnet", convnet, (image,))
    write(root / "convnet-core", convnet, (image,), decompose=True)
    write(root / "attention", attention, (tokens,), ({0: some, 1: some},))
    write(root / "attention-core", attention, (tokens,), decompose=True)
    masked = (torch.randn(2, 20, 32), torch.arange(20)[None] < torch.tensor([13, 0])[:, None])
    write(root / "masked-attention", MaskedAttention(), masked)
    write(root / "masked-attention-core", MaskedAttention(), masked, decompose=True)
    moved = (torch.randn(1, 5, 6), torch.tensor([3, 0, 4]))
    write(root / "movement", Movement(), moved)
    write(root / "movement-core", Movement(), moved, decompose=True)
    write(root / "resized", Resized(), (torch.randn(1, 4, 4, 3),))
    write(root / "slices", Slices(), (torch.randn(4, 6, 5), torch.randn(6, 5)))


if __name__ == "__main__":
    main()
