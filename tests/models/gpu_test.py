#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""`tilescope model run`, `bench` and `compare` with `--on cuda`: through the runner to a driver.

Usage: gpu_test.py TILESCOPE [--emulated FOLDER | --cuda]. FOLDER has a libcuda.so.1 that emulates a GPU; with --cuda the GPU that
is there is used, and its kernels must have been recorded in the graph. Without either there is nothing to test.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support" / "models"))
import onnx_writer as onnx  # noqa: E402

TILESCOPE = str(pathlib.Path(sys.argv[1]).resolve())
EMULATED = str(pathlib.Path(sys.argv[sys.argv.index("--emulated") + 1]).resolve()) if "--emulated" in sys.argv else None
ON_GPU = "--cuda" in sys.argv
# The emulated driver takes PTX alone, and is a device that kernels are compiled for.
DRIVER = {"LD_LIBRARY_PATH": EMULATED, "TILESCOPE_EMULATED_CAPABILITY": "90", "TILESCOPE_NVJITLINK": "none",
          "TILESCOPE_PTXAS": "none"} if EMULATED else {}


class Model:
    """Two branches that do not wait for each other, and what they come together in."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        random = np.random.default_rng(3)
        self.x, self.w, self.v = (random.standard_normal(shape, np.float32) for shape in ((4, 16), (16, 16), (16, 16)))
        nodes = [onnx.node("MatMul", ["x", "w"], ["a"], "left"), onnx.node("Softmax", ["a"], ["b"], "shares", axis=-1),
                 onnx.node("MatMul", ["x", "v"], ["c"], "right"), onnx.node("Relu", ["c"], ["d"], "positive"),
                 onnx.node("MatMul", ["b", "d2"], ["e"], "together"), onnx.node("Transpose", ["d"], ["d2"], "turned", perm=[1, 0])]
        nodes = nodes[:4] + [nodes[5], nodes[4]]
        weights = [onnx.tensor(name, array.shape, raw=array.astype("<f4").tobytes()) for name, array in (("w", self.w), ("v", self.v))]
        (self.folder / "m.onnx").write_bytes(onnx.model(nodes, [onnx.tensor_type("x", [4, 16])], [onnx.tensor_type("e", None)], weights))
        np.save(self.folder / "x.npy", self.x)

    def run(self, *arguments):
        done = subprocess.run([TILESCOPE, "model", arguments[0], "m.onnx", *arguments[1:], "--on", "cuda"], capture_output=True, text=True,
                              cwd=self.folder, timeout=250, env={**os.environ, **DRIVER})
        assert done.returncode == 0, (arguments, done.returncode, done.stdout, done.stderr)
        return done.stdout

    def expected(self):
        a = self.x.astype(np.float64) @ self.w
        powers = np.exp(a - a.max(axis=1, keepdims=True))
        b = powers / powers.sum(axis=1, keepdims=True)
        return b @ np.maximum(self.x.astype(np.float64) @ self.v, 0).T


def test_it_runs(model):
    told = model.run("run", "--inputs", ".", "-o", "out", "--times")
    assert "as one CUDA graph: " in told and "GPU: prepared in " in told or ON_GPU, told
    found = np.load(model.folder / "out" / "e.npy")
    error = np.linalg.norm(found - model.expected()) / np.linalg.norm(model.expected())
    assert error < (2e-3 if ON_GPU else 1e-5), (error, found)


def test_it_is_measured(model):
    bench = json.loads(model.run("bench", "--json"))
    assert bench["graph"] and bench["steady_us"]["median"] > 0 and bench["first_us"] > bench["steady_us"]["median"], bench
    assert all(kernel["us"]["median"] > 0 for kernel in bench["kernels"]), bench
    if ON_GPU:
        # Each began when what it waits for was over.
        starts = [kernel["start_us"] for kernel in bench["kernels"]]
        assert min(starts) == 0 and all(start is not None for start in starts), bench
        assert starts[-1] > 0 and bench["kernels"][0]["least_us"] is not None, bench
    print(f"{bench['device']}: first run {bench['first_us']:.0f} us, steady {bench['steady_us']['median']:.0f} us")


def test_choices_are_measured_beside_what_is_planned(model):
    bench = json.loads(model.run("bench", "--no-fuse", "right:positive", "--json"))
    chosen, planned = bench["variants"]["chosen"], bench["variants"]["planned"]
    assert chosen["kernels"] == planned["kernels"] + 1 and chosen["bytes"] > planned["bytes"], bench
    assert len(chosen["own"]) == 2 and chosen["own_us"]["median"] > 0 and planned["own_us"]["median"] > 0, bench
    assert bench["variants"]["measured_on"] == bench["device"], bench


def test_it_is_compared(model):
    assert "agree with the model's own operations" in model.run("compare", "--inputs", ".")


if __name__ == "__main__":
    if not EMULATED and not ON_GPU:
        print("nothing to test: there is neither an emulated driver nor --cuda")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        model = Model(folder)
        for name, test in list(globals().items()):
            if name.startswith("test_"):
                test(model)
                print(f"{name[5:].replace('_', ' ')}: ok", flush=True)
