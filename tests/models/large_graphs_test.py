#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Launches that move so much, or multiply so much, that they have kernels of their own, beside what NumPy computes.

Usage: large_graphs_test.py TILESCOPE [TEST…]. They run as machine code of the processor, which takes seconds each.
"""

import itertools
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support" / "models"))
import onnx_writer as onnx  # noqa: E402
from model_files import constant, save, whole  # noqa: E402

TILESCOPE = str(pathlib.Path(sys.argv[1]).resolve())
RANDOM = np.random.default_rng(5)


def numbers(*shape):
    return RANDOM.standard_normal(shape, np.float32)


def check(nodes, inputs, outputs, words, weights=(), opset=20):
    """`words`: what the module of kernels should have."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        save(folder, nodes, inputs, outputs, weights, opset)
        command = [TILESCOPE, "model", "run", "m.onnx", "--inputs", "in", "--out", "out", "--target", "cpu:native"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=600)
        assert done.returncode == 0, (done.stdout, done.stderr)
        subprocess.run([TILESCOPE, "model", "compile", "m.onnx", "-o", "m.py"], cwd=folder, check=True)
        text = (folder / "m.py").read_text()
        for word in words:
            assert word in text, (word, text)
        for key, array in outputs.items():
            found = np.load(folder / "out" / f"{key}.npy").astype(np.float64)
            wide = array.astype(np.float64)
            error = np.linalg.norm(found - wide) / np.linalg.norm(wide)
            assert found.shape == wide.shape and error < (1e-3 if array.dtype == np.float16 else 1e-6), (key, error)


def windows(x, window, stride, pad, fill):
    """The elements at each place of the windows, one place after the other."""
    x = np.pad(x.astype(np.float64), [(0, 0), (0, 0), (pad, pad), (pad, pad)], constant_values=fill)
    down, right = ((extent - window) // stride + 1 for extent in x.shape[2:])
    for i, j in itertools.product(range(window), range(window)):
        yield i, j, x[:, :, i:i + stride * down:stride, j:j + stride * right:stride]


def test_windows_over_large_images():
    for shape, window, stride, pad, dtype in [
            ((1, 3, 1201, 1203), 3, 1, 1, np.float32),  # two results for each lane
            ((2, 3, 1234, 1245), 5, 1, 2, np.float16),
            ((1, 4, 1203, 1502), 3, 2, 1, np.float32)]:  # one result for each lane
        x, w, b = numbers(*shape).astype(dtype), numbers(shape[1], 1, window, window).astype(dtype), numbers(shape[1]).astype(dtype)
        y = sum(w[:, 0, i, j].astype(np.float64)[:, None, None] * part for i, j, part in windows(x, window, stride, pad, 0))
        y = np.maximum(y + b[:, None, None], 0).astype(dtype)
        check([onnx.node("Conv", ["x", "w", "b"], ["c"], "conv", group=shape[1], pads=[pad] * 4, strides=[stride] * 2),
                     onnx.node("Relu", ["c"], ["y"], "relu")], {"x": x}, {"y": y}, ["conv_depthwise_strips_bias_relu_kernel"], [constant("w", w), constant("b", b)])


def test_windows_of_vectors():
    for shape, pad, dtype in [((2, 3, 1236, 1248), 1, np.float16),  # vectors of 8 pixels
                              ((1, 3, 1201, 1204), 1, np.float32),  # of 4, and no number of rows divides the height
                              ((256, 68, 22, 20), 1, np.float32),  # of 4, in short rows
                              ((640, 36, 14, 14), 1, np.float32),  # of 4 over the ends of rows, of two images
                              ((642, 66, 18, 14), 1, np.float16),  # the same of fp16
                              ((641, 36, 18, 14), 1, np.float32),  # of an odd number of images
                              ((640, 36, 15, 14), 1, np.float32),  # of 2: four do not divide the image
                              ((1, 3, 1203, 1402), 0, np.float32)]:  # without pads
        x, w, b, v = (numbers(*each).astype(dtype) for each in (shape, (shape[1], 1, 3, 3), (shape[1],), (shape[1], 1, 1)))
        sums = sum(w[:, 0, i, j].astype(np.float64)[:, None, None] * part for i, j, part in windows(x, 3, 1, pad, 0)) + b[:, None, None]
        z = numbers(*sums.shape).astype(dtype)
        y = (np.maximum(sums, 0) * v + z).astype(dtype)
        check([onnx.node("Conv", ["x", "w", "b"], ["c"], "conv", group=shape[1], pads=[pad] * 4), onnx.node("Relu", ["c"], ["r"], "relu"),
               onnx.node("Mul", ["r", "v"], ["m"], "scale"), onnx.node("Add", ["m", "z"], ["y"], "sum")], {"x": x, "z": z}, {"y": y},
              ["conv_depthwise_strips_bias_relu_mul_add_kernel", "tasks: tl.constexpr", *(["# A thread has four pixels, which may go over"] if shape[3] in (14, 18) and shape[2] % 2 == 0 else [])],
              [constant("w", w), constant("b", b), constant("v", v)])
    # With strides, a thread has as many results as its vector has windows.
    for shape, window, pad, dtype in [((4, 4, 1236, 1248), 3, 1, np.float16), ((1, 6, 1230, 1204), 2, 0, np.float32)]:
        x, w = numbers(*shape).astype(dtype), numbers(shape[1], 1, window, window).astype(dtype)
        parts = list(windows(x, window, 2, pad, 0))
        y = sum(w[:, 0, i, j].astype(np.float64)[:, None, None] * part for i, j, part in parts).astype(dtype)
        check([onnx.node("Conv", ["x", "w"], ["y"], "conv", group=shape[1], pads=[pad] * 4, strides=[2] * 2)], {"x": x}, {"y": y}, ["out_lane"], [constant("w", w)])
        z = np.max([part for _, _, part in windows(x, window, 2, pad, -np.inf)], axis=0).astype(dtype)
        check([onnx.node("MaxPool", ["x"], ["p"], "pool", kernel_shape=[window] * 2, pads=[pad] * 4, strides=[2] * 2), onnx.node("Add", ["p", "y"], ["z"], "sum")],
              {"x": x, "y": y}, {"z": (z.astype(np.float64) + y).astype(dtype)}, ["out_lane"])
    x = numbers(1, 3, 1204, 1204)
    y = np.max([part for _, _, part in windows(x, 3, 1, 1, -np.inf)], axis=0).astype(np.float32)
    check([onnx.node("MaxPool", ["x"], ["y"], "pool", kernel_shape=[3] * 2, pads=[1] * 4)], {"x": x}, {"y": y}, ["tasks: tl.constexpr"])


def test_windows_of_three_axes():
    x, w, b = (numbers(*shape).astype(np.float16) for shape in ((2, 16, 5, 12, 13), (24, 16, 3, 3, 3), (24,)))
    padded = np.pad(x.astype(np.float32), [(0, 0), (0, 0), (1, 1), (1, 1), (1, 1)])
    y = sum(np.einsum("ncdhw,mc->nmdhw", padded[:, :, i:i + 5, j:j + 12:2, k:k + 13:2], w[:, :, i, j, k].astype(np.float32))
            for i, j, k in itertools.product(range(3), range(3), range(3)))
    y = np.maximum(y + b[:, None, None, None], 0)
    check([onnx.node("Conv", ["x", "w", "b"], ["c"], "conv", pads=[1] * 6, strides=[1, 2, 2]), onnx.node("Relu", ["c"], ["r"], "relu"),
           onnx.node("ReduceMean", ["r", "axes"], ["m"], "mean", keepdims=1), onnx.node("Conv", ["r", "v"], ["z"], "last")], {"x": x},
          {"m": y.mean((2, 3, 4), keepdims=True).astype(np.float16), "z": np.einsum("ncdhw,mc->nmdhw", y, w[:, :8, 0, 0, 0].astype(np.float32).repeat(3, 1)).astype(np.float16)},
          ["conv_channels_last", "out_depth"], [constant("w", w), constant("b", b), constant("v", w[:, :8, 0, 0, 0].repeat(3, 1)[..., None, None, None]), whole("axes", [2, 3, 4])])


def test_windows_of_fp32_in_parts():
    """Many filters and pixels: the weights of one place in the window lie side by side, also of groups and with strides."""
    for shape, filters, stride, groups in (((2, 64, 3, 57, 59), 65, 1, 1), ((3, 128, 60, 61), 130, 2, 2), ((2, 64, 70, 75), 64, 1, 1)):
        axes, channels = len(shape) - 2, shape[1] // groups
        x, w, b = numbers(*shape), numbers(filters, channels, *[3] * axes), numbers(filters)
        padded = np.pad(x.astype(np.float64), [(0, 0), (0, 0)] + [(1, 1)] * axes)
        y = 0
        for taps in itertools.product(range(3), repeat=axes):
            part = padded[(...,) + tuple(slice(tap, tap + extent, stride) for tap, extent in zip(taps, shape[2:]))]
            part = part.reshape(shape[0], groups, channels, *part.shape[2:])
            of_tap = w.astype(np.float64)[(...,) + taps].reshape(groups, filters // groups, channels)
            y = y + np.einsum("ngc...,gmc->ngm...", part, of_tap)
        y = y.reshape(shape[0], filters, *y.shape[3:]) + b.reshape(-1, *[1] * axes)
        check([onnx.node("Conv", ["x", "w", "b"], ["c"], "conv", pads=[1] * 2 * axes, strides=[stride] * axes, group=groups),
               onnx.node("Relu", ["c"], ["y"], "relu")], {"x": x}, {"y": np.maximum(y, 0).astype(np.float32)},
              ["(tap * groups + group) * filters", "bf16x6"] + (["columns // out_width % out_height"] if axes == 3 else []), [constant("w", w), constant("b", b)])


def test_products_of_fp32_in_parts():
    for kind, transposed in (("MatMul", 0), ("Gemm", 0), ("Gemm", 1)):
        x, w, b = numbers(1000, 500), numbers(500, 760), numbers(760)
        product = [onnx.node("MatMul", ["x", "w"], ["m"], "product"), onnx.node("Add", ["m", "b"], ["y"], "sum")]
        if kind == "Gemm":
            product = [onnx.node("Gemm", ["x", "w", "b"], ["y"], "product", transB=transposed)]
        y = x.astype(np.float64) @ w + b
        check(product, {"x": x}, {"y": y.astype(np.float32)}, ["bf16x6"], [constant("w", w.T.copy() if transposed else w), constant("b", b)])


def test_largest_elements_of_large_images():
    for shape, window, stride, pad, dtype in [((1, 4, 1300, 1301), 3, 2, 1, np.float32), ((2, 5, 1301, 1400), 2, 2, 0, np.float16),
                                              ((1, 3, 1100, 1299), 3, 1, 1, np.float32), ((2, 1270, 60, 55), 3, 3, 0, np.float32)]:
        x = numbers(*shape).astype(dtype)
        y = np.max([part for _, _, part in windows(x, window, stride, pad, -np.inf)], axis=0).astype(dtype)
        check([onnx.node("MaxPool", ["x"], ["p"], "pool", kernel_shape=[window] * 2, strides=[stride] * 2, pads=[pad] * 4),
                     onnx.node("Neg", ["p"], ["y"], "neg")], {"x": x}, {"y": -y}, ["max_pool_strips_neg_kernel"])


def test_windows_over_large_images_with_channels_last():
    x, w, b = (numbers(*shape).astype(np.float16) for shape in ((2, 40, 410, 411), (40, 1, 3, 3), (40,)))
    v = (numbers(40, 40, 1, 1) / 6).astype(np.float16)
    mix = lambda image: np.einsum("nchw,mc->nmhw", image.astype(np.float32), v[:, :, 0, 0].astype(np.float32)).astype(np.float16)  # noqa: E731
    y = sum(w[:, 0, i, j].astype(np.float64)[:, None, None] * part for i, j, part in windows(mix(x), 3, 1, 1, 0)) + b[:, None, None]
    z = np.max([part for _, _, part in windows(mix(y.astype(np.float16)), 3, 2, 1, -np.inf)], axis=0).astype(np.float16)
    check([onnx.node("Conv", ["x", "v"], ["a"], "first"), onnx.node("Conv", ["a", "w", "b"], ["c"], "depthwise", group=40, pads=[1] * 4),
                 onnx.node("Conv", ["c", "v"], ["d"], "second"), onnx.node("MaxPool", ["d"], ["p"], "pool", kernel_shape=[3, 3], strides=[2, 2], pads=[1] * 4),
                 onnx.node("Conv", ["p", "v"], ["y"], "third")], {"x": x}, {"y": mix(z)},
                ["conv_depthwise_strips_channels_last_bias_kernel", "max_pool_strips_channels_last_kernel"], [constant("w", w), constant("b", b), constant("v", v)])


def test_large_images_that_are_doubled():
    x, bias = numbers(2, 3, 701, 903).astype(np.float16), numbers(3, 1, 1).astype(np.float16)
    for times in (2, 3):
        y = x.repeat(times, 2).repeat(2, 3)
        wanted = (y.astype(np.float64) * bias + y).astype(np.float16)
        check([onnx.node("Resize", ["x", "", "scales"], ["r"], "double", mode="nearest", coordinate_transformation_mode="asymmetric", nearest_mode="floor"),
                     onnx.node("Mul", ["r", "b"], ["m"], "scale"), onnx.node("Add", ["m", "z"], ["y"], "sum")], {"x": x, "z": y}, {"y": wanted},
                    ["double_pixels_mul_add_kernel"], [constant("b", bias), onnx.tensor("scales", [4], [1.0, 1.0, float(times), 2.0])])


def softmax_of(x):
    powers = np.exp(x.astype(np.float64) - x.max(1, keepdims=True))
    return powers / powers.sum(1, keepdims=True)


def test_long_rows_that_begin_in_the_middle_of_vectors():
    # 7 rows begin at each place in a vector of 16 bytes, or at each second one.
    for rows, length, dtype in ((178, 50_257, np.float32), (360, 50_259, np.float16), (512, 16_386, np.float32)):
        x = numbers(rows, length).astype(dtype)
        shares = softmax_of(x)
        y = np.log(shares) * x
        check([onnx.node("Softmax", ["x"], ["s"], "softmax", axis=-1), onnx.node("LogSoftmax", ["x"], ["l"], "logarithms", axis=-1),
                     onnx.node("Mul", ["l", "x"], ["y"], "product"), onnx.node("ReduceMean", ["x", "axes"], ["m"], "mean", keepdims=1),
                     onnx.node("Sub", ["x", "m"], ["c"], "center")], {"x": x},
                    {"s": shares.astype(dtype), "y": y.astype(dtype), "c": (x - x.astype(np.float64).mean(1, keepdims=True)).astype(dtype)}, ["is_end"], [whole("axes", [1])])


def test_rows_that_are_held_in_pieces():
    for rows, length, dtype in ((3, 20_480, np.float32), (5, 50_001, np.float16), (2, 16_400, np.float16)):
        x, bias = numbers(rows, length).astype(dtype), numbers(length).astype(dtype)
        shares = softmax_of(x)
        check([onnx.node("Softmax", ["x"], ["y"], "softmax", axis=-1)], {"x": x}, {"y": shares.astype(dtype)}, ["share = 1.0 / total", "place4 = 4 * BLOCK"])
        check([onnx.node("LogSoftmax", ["x"], ["l"], "logarithms", axis=-1), onnx.node("Mul", ["l", "b"], ["y"], "product")], {"x": x},
              {"y": (np.log(shares) * bias).astype(dtype)}, ["shift = tl.log(total)"], [constant("b", bias)])
        wide = x.astype(np.float64)
        check([onnx.node("ReduceMax", ["x", "axes"], ["m"], "largest", keepdims=1), onnx.node("Sub", ["x", "m"], ["c"], "below")], {"x": x},
              {"m": wide.max(1, keepdims=True).astype(dtype), "c": (wide - wide.max(1, keepdims=True)).astype(dtype)}, ["place4 = 4 * BLOCK"], [whole("axes", [1])])
    # No program has registers for these.
    x = numbers(3, 60_000)
    check([onnx.node("Softmax", ["x"], ["y"], "softmax", axis=-1)], {"x": x}, {"y": softmax_of(x).astype(np.float32)}, ["range(0, reduced, BLOCK)"])


def test_rows_with_narrow_scales():
    # Rows that are held in pieces, and in one.
    for rows, length, word in ((1400, 12_288, "place2 = 2 * BLOCK"), (4200, 768, "BLOCK = 1024")):
        x, scale, bias = (numbers(*shape).astype(np.float16) for shape in ((rows, length), (length,), (length,)))
        wide = x.astype(np.float64) - x.astype(np.float64).mean(1, keepdims=True)
        y = wide / np.sqrt((wide ** 2).mean(1, keepdims=True) + 1e-5) * scale + bias
        check([onnx.node("LayerNormalization", ["x", "scale", "bias"], ["y"], "norm", axis=-1)], {"x": x}, {"y": y.astype(np.float16)}, [word, 'b_ptr = { dtype = "fp16"'],
              [constant("scale", scale), constant("bias", bias)])


def test_sums_of_long_columns():
    for shape, dtype, word in (((8200, 2100), np.float16, "num_warps = 32"), ((4100, 4200), np.float16, "num_warps = 16"), ((1100, 8000), np.float32, "num_warps = 8")):
        x = numbers(*shape).astype(dtype)
        check([onnx.node("ReduceSum", ["x", "axes"], ["y"], "sum", keepdims=0)], {"x": x}, {"y": x.astype(np.float64).sum(0).astype(dtype)}, [word], [whole("axes", [0])])


def test_slices_that_are_taken():
    for rows, columns, indices, dtype, word in ((300, 520, 701, np.float16, "blocks = tl.cdiv(rows, ROWS)"), (300, 771, 150, np.float32, "pieces = tl.cdiv(inner, BLOCK)")):
        x, index = numbers(2, rows, columns).astype(dtype), RANDOM.integers(-rows, rows, indices)
        check([onnx.node("Gather", ["x", "i"], ["g"], "slices", axis=1), onnx.node("Neg", ["g"], ["y"], "negative")], {"x": x, "i": index}, {"y": -x[:, index]}, [word, 'eviction_policy="evict_last"'])
    x, index = numbers(300, 520), RANDOM.integers(0, 300, 701)
    check([onnx.node("Gather", ["x", "i"], ["y"], "slices", axis=0)], {"x": x, "i": index}, {"y": x[index]}, ['eviction_policy="evict_first"'])


def test_large_images_that_are_padded():
    x = numbers(1, 6, 1301, 1303).astype(np.float16)
    check([onnx.node("Pad", ["x", "pads"], ["y"], "pad")], {"x": x}, {"y": np.pad(x, [(0, 0), (0, 0), (1, 2), (3, 1)])}, ["BLOCK = 2048"], [whole("pads", [0, 0, 1, 3, 0, 0, 2, 1])])


def test_products_with_tiles_of_two_parts():
    for rows, columns, depth, kind in ((1024, 2304, 768, "MatMul"), (1000, 765, 770, "MatMul"), (1576, 768, 512, "Gemm"), (1020, 2300, 768, "Gemm")):
        shapes = (rows, depth), (depth, columns), (columns,), (rows, columns)
        x, w, b, z = ((numbers(*shape) / shape[0] ** 0.25).astype(np.float16) for shape in shapes)
        y = np.maximum(x.astype(np.float32) @ w.astype(np.float32) + b + z, 0) * b
        product = [onnx.node("MatMul", ["x", "w"], ["m"], "product"), onnx.node("Add", ["m", "b"], ["s"], "sum")]
        if kind == "Gemm":
            product = [onnx.node("Gemm", ["x", "w", "b"], ["s"], "product")]
        check([*product, onnx.node("Add", ["z", "s"], ["t"], "rest"), onnx.node("Relu", ["t"], ["r"], "relu"), onnx.node("Mul", ["r", "b"], ["y"], "scale")],
              {"x": x, "z": z}, {"y": y.astype(np.float16)}, ["REST_N: tl.constexpr"], [constant("w", w), constant("b", b)])


def test_products_with_tiles_of_the_transposed_product():
    for rows, columns, depth, of_rows in ((1410, 2818, 384, False), (1447, 2818, 392, True)):
        shapes = (rows, depth), (depth, columns), (rows, 1) if of_rows else (columns,), (rows, columns)
        x, w, b, z = ((numbers(*shape) / shape[0] ** 0.25).astype(np.float16) for shape in shapes)
        y = x.astype(np.float32) @ w.astype(np.float32) + b
        check([onnx.node("Gemm", ["x", "w", "b"], ["y"], "product")], {"x": x}, {"y": y.astype(np.float16)}, ["REST_M: tl.constexpr", "M: tl.constexpr"], [constant("w", w), constant("b", b)])
        y = np.maximum(y + z, 0) * b
        check([onnx.node("Gemm", ["x", "w", "b"], ["s"], "product"), onnx.node("Add", ["z", "s"], ["t"], "rest"), onnx.node("Relu", ["t"], ["r"], "relu"), onnx.node("Mul", ["r", "b"], ["y"], "scale")],
              {"x": x, "z": z}, {"y": y.astype(np.float16)}, ["REST_M: tl.constexpr"], [constant("w", w), constant("b", b)])


def test_products_whose_factors_come_in_bulk_copies():
    # Three parts of rows, two of columns, and a weight by its rows; the last tiles along each axis are not whole.
    for rows, columns, depth, words in ((1568, 2304, 776, ["LAST_M = 32", "num_warps = 8"]), (1560, 1016, 2600, ["LAST_M = 16"]),
                                        (1020, 2296, 768, ["REST_N = 16"]), (504, 1024, 4096, ["[K, N], [N, 1], [BLOCK_K, BLOCK_N]"])):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            x, w, b = ((numbers(*shape) / shape[0] ** 0.25).astype(np.float16) for shape in ((rows, depth), (depth, columns), (columns,)))
            save(folder, [onnx.node("Gemm", ["x", "w", "b"], ["y"], "product")], {"x": x}, {"y": np.zeros((rows, columns), np.float16)}, [constant("w", w), constant("b", b)], 20)
            for target, is_bulk in (("cuda:90", True), ("cuda:80", False)):
                subprocess.run([TILESCOPE, "model", "compile", "m.onnx", "--target", target, "-o", "m.py"], cwd=folder, check=True)
                text = (folder / "m.py").read_text()
                assert ("tl.make_tensor_descriptor(" in text) == is_bulk, (target, text)
                for word in words if is_bulk else ():
                    assert word in text, (word, text)
                # The launch says what is expected.
                done = subprocess.run([TILESCOPE, "run", "m.py", "--on", "cpu", "--target", "cpu:native"], cwd=folder, capture_output=True, text=True, timeout=600)
                assert done.returncode == 0 and "; matches" in done.stdout, (done.stdout, done.stderr)


def main():
    for name, test in list(globals().items()):
        if name.startswith("test_") and (len(sys.argv) == 2 or name in sys.argv[2:]):
            test()
            print(f"passed: {name}", flush=True)


if __name__ == "__main__":
    main()
