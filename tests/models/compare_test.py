#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""`tilescope model compare`: fused kernels against the model's own operations, and kernels that a user has edited.

Usage: compare_test.py TILESCOPE. The model is relu(x · w + b), then a softmax of each row, beside ONNX's test data.
"""

import json
import pathlib
import struct
import subprocess
import sys
import tempfile

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support" / "models"))
import onnx_writer as onnx  # noqa: E402

TILESCOPE = str(pathlib.Path(sys.argv[1]).resolve())
ROWS, INNER, COLUMNS = 6, 20, 24


def proto(name, array):
    """One tensor as ONNX's test data have it."""
    return onnx.tensor(name, array.shape, raw=array.astype("<f4").tobytes())


def expected(x, w, b):
    rows = np.maximum(x.astype(np.float64) @ w + b, 0)
    powers = np.exp(rows - rows.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


class Case:
    """A folder with the model, its test data and the kernels that it becomes."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        random = np.random.default_rng(7)
        x, w, b = (random.standard_normal(shape, np.float32) for shape in ((ROWS, INNER), (INNER, COLUMNS), (COLUMNS,)))
        nodes = [onnx.node("MatMul", ["x", "w"], ["m"], "product"), onnx.node("Add", ["m", "b"], ["a"], "bias"),
                 onnx.node("Relu", ["a"], ["r"], "relu"), onnx.node("Softmax", ["r"], ["y"], "softmax", axis=-1)]
        weights = [proto("w", w), proto("b", b)]
        (self.folder / "m.onnx").write_bytes(onnx.model(nodes, [onnx.tensor_type("x", ["rows", INNER])],
                                                        [onnx.tensor_type("y", ["rows", COLUMNS])], weights))
        self.data = self.folder / "test_data_set_0"
        self.data.mkdir()
        (self.data / "input_0.pb").write_bytes(proto("x", x))
        self.right = expected(x, w, b).astype(np.float32)
        self.expect(self.right)
        self.ask("compile", "--dim", f"rows={ROWS}", "-o", "model.py")
        self.kernels = (self.folder / "model.py").read_text()

    def expect(self, y):
        (self.data / "output_0.pb").write_bytes(proto("y", y))

    def ask(self, command, *arguments, status=0):
        done = subprocess.run([TILESCOPE, "model", command, "m.onnx", *arguments], capture_output=True, text=True, cwd=self.folder, timeout=300)
        assert done.returncode == status, (done.returncode, done.stdout, done.stderr)
        return done.stdout + done.stderr

    def compare(self, *arguments, status=0):
        return json.loads(self.ask("compare", "--json", *arguments, status=status))

    def edited(self, old, new):
        assert self.kernels.count(old) == 1, (old, self.kernels)
        (self.folder / "edited.py").write_text(self.kernels.replace(old, new))
        return "edited.py"


def test_fused_kernels_agree_with_the_operations_and_the_test_data(case):
    told = case.compare()
    assert told["ok"] and "first" not in told, told
    assert [each["function"] for each in told["results"]] == ["matmul_add_relu_kernel", "softmax_kernel"], told
    assert [each["reference"] for each in told["results"]] == ["relu", "softmax"], told
    assert all(each["error"] < 1e-6 for each in told["results"]), told
    [output] = told["outputs"]
    assert output["reference"] == "its file" and output["shape"] == [ROWS, COLUMNS] and output["error"] < 1e-6, output
    assert "2 kernels agree with the model's own operations" in case.ask("compare")
    native = case.compare("--target", "cpu:native")
    assert native["ok"] and all(each["error"] < 1e-6 for each in native["results"]), native
    assert case.ask("run", "--inputs", "test_data_set_0", "--target", "cpu:native", "--times").count(" of ") >= 3


def test_test_data_that_differ_are_told_with_place(case):
    wrong = case.right.copy()
    wrong[2, 5] += 0.5
    case.expect(wrong)
    told = case.compare(status=1)
    case.expect(case.right)
    [output] = told["outputs"]
    assert "first" not in told and output["diverges"] and output["at"] == [2, 5], told
    assert abs(output["largest"] - 0.5) < 1e-6 and abs(output["wanted"] - output["found"] - 0.5) < 1e-6, output


def test_an_edited_kernel_is_judged(case):
    faster = case.edited("tl.exp(shifted)", "tl.exp2(shifted * 1.4426950408889634)")
    assert case.compare("--kernels", faster)["ok"]
    wrong = case.edited("powers / tl.sum(powers, axis=0)", "powers / (tl.sum(powers, axis=0) + 1.0)")
    told = case.compare("--kernels", wrong, status=1)
    assert told["first"] == 1, told
    product, softmax = told["results"]
    assert not product["diverges"] and softmax["diverges"] and softmax["function"] == "softmax_kernel", told
    # Each row is divided by its sum and 1 more.
    wanted = case.right.reshape(softmax["shape"])[tuple(softmax["at"])]
    assert abs(softmax["wanted"] - wanted) < 1e-6 and softmax["found"] < 0.9 * wanted, softmax


def test_the_first_kernel_that_diverges_is_saved_and_runs_alone(case):
    wrong = case.edited("softmax = powers / tl.sum(powers, axis=0)", "softmax = powers")
    text = case.ask("compare", "--kernels", wrong, "-o", "saved", status=1)
    assert "first to diverge: kernel " in text and "saved/kernel.py" in text, text
    saved = case.folder / "saved"
    subprocess.run([TILESCOPE, "run", "kernel.py", "--inputs", "inputs", "--dump", "own"], cwd=saved, check=True, capture_output=True)
    [wanted] = (saved / "wanted").iterdir()
    found = np.load(saved / "own" / wanted.name)
    assert found.shape == np.load(wanted).shape and not np.allclose(found, np.load(wanted)), wanted


def test_what_cannot_be_compared_is_an_error(case):
    missing = case.edited("def softmax_kernel(", "def other_kernel(")
    assert "does not define `softmax_kernel`" in case.ask("compare", "--kernels", missing, status=1)
    broken = case.edited("powers / tl.sum(", "power / tl.sum(")
    text = case.ask("compare", "--kernels", broken, status=1)
    line = 1 + case.kernels[:case.kernels.index("powers / tl.sum(")].count("\n")
    assert "node `softmax`" in text and f"model.py:{line}:" in text and "power" in text, text
    (case.data / "input_0.pb").write_bytes(b"\x08")
    assert "input_0.pb` is not a tensor of ONNX" in case.ask("compare", status=1)
    short = onnx.tensor("x", [ROWS, INNER], raw=struct.pack("<f", 1))
    (case.data / "input_0.pb").write_bytes(short)
    assert f"has 4 bytes, its extents {ROWS * INNER * 4}" in case.ask("compare", status=1)
    huge = onnx.tensor("x", [1 << 36], raw=b"")
    (case.data / "input_0.pb").write_bytes(huge)
    assert "its extents" in case.ask("compare", status=1)
    assert "there is no folder `none`" in case.ask("compare", "--inputs", "none", status=1)


def main():
    tests = [value for name, value in list(globals().items()) if name.startswith("test_")]
    for test in tests:
        with tempfile.TemporaryDirectory(prefix="tilescope-compare-") as folder:
            test(Case(folder))
        print(f"{test.__name__}: passed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
