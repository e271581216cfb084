#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Small models, each of a kind that kernels were once wrong for, beside what NumPy computes.

Usage: small_graphs_test.py TILESCOPE. Random ones are in random_graphs_test.py.
"""

import itertools
import json
import math
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support" / "models"))
import onnx_writer as onnx  # noqa: E402
from model_files import save, whole  # noqa: E402

TILESCOPE = str(pathlib.Path(sys.argv[1]).resolve())
RANDOM = np.random.default_rng(3)


def numbers(*shape):
    return RANDOM.standard_normal(shape).astype(np.float32)


def compared(nodes, inputs, outputs, weights=(), opset=18):
    """What `model compare` says."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        save(folder, nodes, inputs, outputs, weights, opset)
        done = subprocess.run([TILESCOPE, "model", "compare", "--json", "m.onnx", "--inputs", "in", "--expected", "wanted"], cwd=folder,
                              capture_output=True, text=True, timeout=300)
        assert done.stderr == "" and done.stdout, (done.returncode, done.stderr)
        return json.loads(done.stdout)


def check(nodes, inputs, outputs, weights=(), opset=18):
    told = compared(nodes, inputs, outputs, weights, opset)
    assert told["ok"] and all(each["compared"] for each in told["outputs"]), told
    return told


def test_what_an_anchor_reads_is_read_again_behind_it():
    x = numbers(4, 5)
    check([onnx.node("Trilu", ["x"], ["t"], "triangle", upper=1), onnx.node("Mul", ["x", "t"], ["y"], "product")], {"x": x}, {"y": x * np.triu(x)})


def test_a_sum_along_one_element_goes_to_its_row():
    x = numbers(4, 1)
    check([onnx.node("Reshape", ["x", "shape"], ["r"], "reshape"), onnx.node("ReduceSum", ["r", "axes"], ["y"], "sum", keepdims=1)], {"x": x},
          {"y": x.reshape(2, 1, 2)}, [whole("shape", [2, 1, 2]), whole("axes", [1])])


def test_places_are_computed_with_in_64_bits():
    x = numbers(3, 7)
    place = x.argmax(1, keepdims=True)
    check([onnx.node("ArgMax", ["x"], ["p"], "place", axis=1, keepdims=1), onnx.node("Mul", ["p", "p"], ["m"], "product"),
           onnx.node("ReduceMin", ["m", "axes"], ["y"], "least", keepdims=1)], {"x": x}, {"y": place * place}, [whole("axes", [1])])


def test_a_block_of_one_filter_is_stored_at_all_its_places():
    x, w = numbers(2, 7, 8), numbers(1, 7, 3)
    padded = np.pad(x, [(0, 0), (0, 0), (2, 1)])
    y = sum(np.einsum("ncx,mc->nmx", padded[:, :, at:at + 9], w[:, :, at]) for at in range(3)).astype(np.float32)
    check([onnx.node("Conv", ["x", "w"], ["c"], "conv", pads=[2, 1]), onnx.node("Transpose", ["c"], ["y"], "transpose", perm=[2, 0, 1])], {"x": x, "w": w},
          {"y": y.transpose(2, 0, 1)})


def test_products_without_depth_are_zeros():
    x, w = np.zeros((8, 1, 0), np.float32), np.zeros((0, 8), np.float32)
    check([onnx.node("MatMul", ["x", "w"], ["y"], "product")], {"x": x, "w": w}, {"y": np.zeros((8, 1, 8), np.float32)})


def test_tensors_without_elements_agree():
    x = numbers(1, 2)
    told = check([onnx.node("Slice", ["x", "from", "to", "axes"], ["y"], "slice")], {"x": x}, {"y": x[:, 1:1]},
                 [whole("from", [1]), whole("to", [1]), whole("axes", [1])])
    assert told["outputs"][0]["at"] is None, told


def test_roots_of_negative_numbers_are_not_numbers():
    x, p = np.array([-8, -2, -2, 4, 0, -3], np.float32), np.array([1 / 3, 3, -2, 0.5, 2, 0], np.float32)
    with np.errstate(invalid="ignore"):
        y = np.power(x, p)
    assert np.isnan(y[0]) and y[1] == -8
    check([onnx.node("Pow", ["x", "p"], ["y"], "power")], {"x": x, "p": p}, {"y": y})


def test_early_versions_repeat_operands_from_an_axis_on():
    x, b, c = numbers(2, 3, 4, 5), numbers(3), numbers(3, 4)
    nodes = [onnx.node("Add", ["x", "b"], ["s"], "sum", broadcast=1, axis=1), onnx.node("Mul", ["s", "c"], ["y"], "product", broadcast=1, axis=1),
             onnx.node("Less", ["x", "c"], ["l"], "less", broadcast=1, axis=-3)]
    check(nodes, {"x": x, "b": b, "c": c}, {"y": (x + b[:, None, None]) * c[:, :, None], "l": x < c[:, :, None]}, opset=6)


def test_early_slopes_are_of_channels():
    x, slopes = numbers(2, 3, 4, 4), numbers(3)
    check([onnx.node("PRelu", ["x", "s"], ["y"], "prelu")], {"x": x, "s": slopes}, {"y": np.where(x < 0, x * slopes[:, None, None], x)}, opset=6)


def test_an_early_axis_that_does_not_fit_is_told():
    nodes = [onnx.node("Add", ["x", "b"], ["y"], "sum", broadcast=1, axis=1)]
    told = compared_error(nodes, {"x": numbers(2, 3), "b": numbers(3, 4)}, {"y": numbers(2, 3)}, 6)
    assert "node `sum` (`Add`): its attribute `axis` is 1, from where on [2, 3] does not have the axes of [3, 4]" in told, told


def compared_error(nodes, inputs, outputs, opset):
    try:
        compared(nodes, inputs, outputs, opset=opset)
    except AssertionError as error:
        return str(error)
    return ""


def test_activations_that_are_others_scaled():
    x = numbers(3, 7)
    elu = np.where(x < 0, np.expm1(np.minimum(x, 0)), x)
    check([onnx.node("Selu", ["x"], ["a"], "selu"), onnx.node("Softsign", ["x"], ["b"], "softsign"), onnx.node("Celu", ["x"], ["c"], "celu", alpha=2.0),
           onnx.node("ThresholdedRelu", ["x"], ["d"], "threshold", alpha=0.5)], {"x": x},
          {"a": np.float32(1.0507009873554805) * np.where(x < 0, np.float32(1.6732632423543772) * elu, x), "b": x / (1 + np.abs(x)),
           "c": np.where(x < 0, 2 * np.expm1(np.minimum(x, 0) / 2), x).astype(np.float32), "d": np.where(x > 0.5, x, np.float32(0))})


def test_gelu_of_16_bits_is_within_one_unit_everywhere():
    x = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
    x = x[np.abs(x) <= 12]
    wide = x.astype(np.float64)
    exact = wide * 0.5 * np.array([math.erfc(-each / math.sqrt(2)) for each in wide])
    tanh = wide * 0.5 * (1 + np.tanh(math.sqrt(2 / math.pi) * (wide + 0.044715 * wide ** 3)))
    told = check([onnx.node("Gelu", ["x"], ["a"], "exact"), onnx.node("Gelu", ["x"], ["b"], "tanh", approximate="tanh")], {"x": x},
                 {"a": exact.astype(np.float16), "b": tanh.astype(np.float16)}, opset=20)
    for output in told["outputs"]:
        assert output["ulps"] <= 1 and output["error"] < 2e-5, output


def convolved(x, w, groups, strides, dilations, begins, ends):
    """By definition, in 64 bits: a product for each place in the window."""
    x = np.pad(x.astype(np.float64), [(0, 0), (0, 0), *zip(begins, ends)])
    sizes = [(extent - (window - 1) * gap - 1) // stride + 1 for extent, window, gap, stride in zip(x.shape[2:], w.shape[2:], dilations, strides)]
    filters, inner = w.shape[0] // groups, w.shape[1]
    y = np.zeros((x.shape[0], w.shape[0], *sizes))
    for place in itertools.product(*map(range, w.shape[2:])):
        part = x[(slice(None), slice(None), *(slice(at * gap, at * gap + (size - 1) * stride + 1, stride)
                                              for at, gap, size, stride in zip(place, dilations, sizes, strides)))]
        for group in range(groups):
            own = slice(group * filters, (group + 1) * filters)
            y[:, own] += np.einsum("nc...,mc->nm...", part[:, group * inner:(group + 1) * inner], w[(own, slice(None), *place)])
    return y


def test_convolutions_of_three_axes():
    for shape, filters, window, attributes in [
            ((2, 20, 5, 9, 70), (32, 20), (3, 3, 3), {}),  # by rows
            ((1, 3, 6, 11, 64), (17, 3), (3, 2, 4), {"strides": [2, 1, 2]}),  # few channels
            ((2, 8, 7, 9, 10), (6, 4), (2, 3, 3), {"group": 2, "dilations": [2, 1, 2]}),  # flat
            ((2, 5, 6, 12, 33), (5, 1), (3, 3, 3), {"group": 5, "strides": [1, 2, 1]}),  # one channel in each group
            ((2, 6, 3, 5, 4), (9, 6), (1, 1, 1), {})]:  # a product
        x, w, b = numbers(*shape), numbers(*filters, *window), numbers(filters[0])
        begins, ends = ([0, 0, 0], [0, 0, 0]) if window == (1, 1, 1) else ([1, 0, 2], [0, 1, 1])
        y = convolved(x, w, attributes.get("group", 1), attributes.get("strides", [1] * 3), attributes.get("dilations", [1] * 3), begins, ends)
        y = y + b[:, None, None, None]
        check([onnx.node("Conv", ["x", "w", "b"], ["c"], "conv", pads=begins + ends, **attributes), onnx.node("Relu", ["c"], ["y"], "relu")],
              {"x": x}, {"y": np.maximum(y, 0).astype(np.float32)},
              [onnx.tensor(name, each.shape, raw=each.tobytes()) for name, each in (("w", w), ("b", b))])


def test_a_transposed_convolution_of_three_axes():
    x, w = numbers(2, 6, 3, 4, 5), numbers(6, 4, 3, 2, 3)
    y = np.zeros((2, 4, 7, 5, 11))
    for i, j, k in itertools.product(range(3), range(2), range(3)):
        y[:, :, i:i + 5:2, j:j + 4, k:k + 9:2] += np.einsum("ncdhw,cm->nmdhw", x, w[:, :, i, j, k])
    check([onnx.node("ConvTranspose", ["x", "w"], ["y"], "spread", strides=[2, 1, 2], pads=[0, 0, 1, 0, 0, 1])], {"x": x}, {"y": y.astype(np.float32)[..., 1:10]},
          [onnx.tensor("w", w.shape, raw=w.tobytes())])


def test_rows_that_no_program_holds():
    x, scale = numbers(3, 20_000), numbers(20_000)
    wide = x.astype(np.float64)
    powers = np.exp(wide - wide.max(1, keepdims=True))
    softmax = powers / powers.sum(1, keepdims=True)
    centered = wide - wide.mean(1, keepdims=True)
    norm = centered / np.sqrt((centered ** 2).mean(1, keepdims=True) + 1e-5) * scale
    nodes = [onnx.node("Softmax", ["x"], ["s"], "softmax", axis=-1), onnx.node("Mul", ["s", "x"], ["p"], "product"),
             onnx.node("ReduceSum", ["p", "axes"], ["e"], "sum", keepdims=1), onnx.node("LogSoftmax", ["x"], ["l"], "logarithms", axis=-1),
             onnx.node("LayerNormalization", ["x", "scale"], ["n"], "norm", axis=-1), onnx.node("ArgMax", ["x"], ["a"], "place", axis=1),
             onnx.node("Round", ["x"], ["r"], "round"), onnx.node("ArgMin", ["r"], ["b"], "last place", axis=1, keepdims=0, select_last_index=1)]
    outputs = {"s": softmax, "e": (softmax * wide).sum(1, keepdims=True), "l": np.log(softmax), "n": norm}
    check(nodes, {"x": x}, {**{name: each.astype(np.float32) for name, each in outputs.items()}, "a": x.argmax(1)[:, None],
                            "b": 19_999 - np.round(x)[:, ::-1].argmin(1)},
          [whole("axes", [1]), onnx.tensor("scale", scale.shape, raw=scale.tobytes())])


def test_rows_in_which_nothing_is_seen():
    """As PyTorch's exporter writes it: short rows, rows in pieces that a program holds, and longer ones."""
    for length in (70, 5000, 20_000):
        x = numbers(3, length)
        x[1] = -np.inf
        x[2, 5:] = -np.inf
        powers = np.exp(x.astype(np.float64) - np.where(np.isinf(x).all(1), 0, x.max(1))[:, None])
        told = check([onnx.node("Softmax", ["x"], ["s"], "softmax", axis=-1), onnx.node("IsNaN", ["s"], ["n"], "nothing"), onnx.node("Where", ["n", "zero", "s"], ["y"], "safe")],
                     {"x": x}, {"y": (powers / np.maximum(powers.sum(1), 1e-30)[:, None]).astype(np.float32)}, [onnx.tensor("zero", [], raw=np.float32(0).tobytes())])
        assert len(told["results"]) == 1, told["results"]


def test_rotary_embeddings_are_one_kernel():
    x, cosines, sines = numbers(2, 3, 5, 8), numbers(5, 8), numbers(5, 8)
    whole_of = {"lower": [0], "half": [4], "upper": [8], "last": [3]}
    nodes = [onnx.node("Slice", ["x", "half", "upper", "last"], ["b"], "upper half"), onnx.node("Neg", ["b"], ["n"], "negated"),
             onnx.node("Slice", ["x", "lower", "half", "last"], ["a"], "lower half"), onnx.node("Concat", ["n", "a"], ["r"], "rotated", axis=-1),
             onnx.node("Mul", ["x", "cosines"], ["c"], "by cosines"), onnx.node("Mul", ["r", "sines"], ["s"], "by sines"), onnx.node("Add", ["c", "s"], ["y"], "sum")]
    rotated = np.concatenate([-x[..., 4:], x[..., :4]], axis=-1)
    told = check(nodes, {"x": x, "cosines": cosines, "sines": sines}, {"y": x * cosines + rotated * sines}, [whole(*each) for each in whole_of.items()])
    assert len(told["results"]) == 1, told["results"]


def attention_nodes(*before):
    """softmax(q · kᵀ, changed by the nodes from `a` to `b`) · v"""
    return [onnx.node("Transpose", ["k"], ["t"], "turned", perm=[0, 2, 1]), onnx.node("MatMul", ["q", "t"], ["a"], "scores"), *before,
            onnx.node("Softmax", ["b"], ["p"], "softmax", axis=-1), onnx.node("MatMul", ["p", "v"], ["y"], "weighted")]


def test_masks_of_attention():
    """A row for all queries is not a causal mask, even where it begins as one does."""
    q, k, v = numbers(2, 5, 8), numbers(2, 9, 8), numbers(2, 9, 8)
    scores = q.astype(np.float64) @ k.astype(np.float64).swapaxes(1, 2)
    for seen in (np.arange(9)[None] < 1, np.tri(5, 9, dtype=bool), np.tri(5, 9, 4, dtype=bool), np.tri(5, 9, 4, dtype=bool)[::-1].copy()):
        powers = np.where(seen, np.exp(scores - scores.max(2, keepdims=True)), 0)
        wanted = (powers / powers.sum(2, keepdims=True) @ v).astype(np.float32)
        weights = [onnx.tensor("seen", seen.shape, dtype=onnx.BOOL, raw=seen.tobytes()), onnx.tensor("none", [], raw=np.float32(-np.inf).tobytes())]
        told = check(attention_nodes(onnx.node("Where", ["seen", "a", "none"], ["b"], "mask")), {"q": q, "k": k, "v": v}, {"y": wanted}, weights)
        assert len(told["results"]) == 1, told["results"]


def test_products_and_windows_in_64_bits():
    x, w = RANDOM.standard_normal((5, 40)), RANDOM.standard_normal((40, 24))
    image, window = RANDOM.standard_normal((1, 4, 9, 10)), RANDOM.standard_normal((8, 4, 3, 3))
    y = convolved(image, window, 1, [1, 1], [1, 1], [0, 0], [0, 0])
    pooled = np.max([y[:, :, i:i + 6:2, j:j + 7:2] for i in range(2) for j in range(2)], axis=0)[:, :, :3, :4]
    told = check([onnx.node("MatMul", ["x", "w"], ["p"], "product"), onnx.node("MatMul", ["v", "w"], ["q"], "row"),
                  onnx.node("Conv", ["i", "f"], ["c"], "conv"), onnx.node("MaxPool", ["c"], ["m"], "pool", kernel_shape=[2, 2], strides=[2, 2])],
                 {"x": x, "w": w, "v": x[:1], "i": image, "f": window}, {"p": x @ w, "q": x[:1] @ w, "c": y, "m": pooled})
    assert all(each["error"] < 1e-14 for each in told["outputs"]), told["outputs"]


def main():
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            test()
            print(f"passed: {name}", flush=True)


if __name__ == "__main__":
    main()
