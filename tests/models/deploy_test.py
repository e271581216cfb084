#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""`tilescope model export`: what it writes is built with the compiler of this machine and run.

Usage: deploy_test.py TILESCOPE [--emulated FOLDER | --cuda] [--keep FOLDER]. FOLDER has a libcuda.so.1 that emulates a GPU;
with --cuda the model runs on the GPU that is there (`--target cuda:90` unless TILESCOPE_TARGET says otherwise). Without
either, only what needs no driver is tested.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support" / "models"))
import onnx_writer as onnx  # noqa: E402
from model_files import constant, save  # noqa: E402

TILESCOPE = str(pathlib.Path(sys.argv[1]).resolve())
EMULATED = str(pathlib.Path(sys.argv[sys.argv.index("--emulated") + 1]).resolve()) if "--emulated" in sys.argv else None
ON_GPU = "--cuda" in sys.argv
TARGET = os.environ.get("TILESCOPE_TARGET", "cuda:90")
ROWS, INNER, COLUMNS = 6, 20, 24


class Model:
    """A model of two branches that come together, with weights; exported, and its example built."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        random = np.random.default_rng(7)
        self.x, self.w, self.b, self.v = (random.standard_normal(shape, np.float32) for shape in (
            (ROWS, INNER), (INNER, COLUMNS), (COLUMNS,), (COLUMNS, COLUMNS)))
        nodes = [onnx.node("MatMul", ["x", "w"], ["m"], "product"), onnx.node("Add", ["m", "b"], ["a"], "bias"),
                 onnx.node("Relu", ["a"], ["r"], "relu"), onnx.node("Softmax", ["r"], ["s"], "softmax", axis=-1),
                 onnx.node("MatMul", ["r", "v"], ["t"], "second product"), onnx.node("Tanh", ["t"], ["u"], "tanh"),
                 onnx.node("Add", ["s", "u"], ["y y"], "sum")]
        weights = [onnx.tensor(name, array.shape, raw=array.astype("<f4").tobytes())
                   for name, array in (("w", self.w), ("b", self.b), ("v", self.v))]
        (self.folder / "m.onnx").write_bytes(onnx.model(
            nodes, [onnx.tensor_type("x", ["rows", INNER])],
            [onnx.tensor_type("y y", ["rows", COLUMNS]), onnx.tensor_type("s", ["rows", COLUMNS])], weights))
        np.save(self.folder / "x.npy", self.x)
        self.out = self.folder / "deployed"

    def run(self, *command, status=0, **variables):
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True, cwd=self.folder, timeout=300,
                              env={**os.environ, **variables})
        assert done.returncode == status, (done.returncode, done.stdout, done.stderr)
        return done.stdout + done.stderr

    def export(self, *arguments, status=0):
        return self.run(TILESCOPE, "model", "export", "m.onnx", "--dim", f"rows={ROWS}", "-o", self.out, *arguments, status=status)

    def example(self, *arguments, status=0, **variables):
        return self.run(self.folder / "example", "--folder", self.out, "--out", self.folder, *arguments, status=status, **variables)

    def expected(self):
        r = np.maximum(self.x.astype(np.float64) @ self.w + self.b, 0)
        powers = np.exp(r - r.max(axis=1, keepdims=True))
        s = powers / powers.sum(axis=1, keepdims=True)
        return s + np.tanh(r @ self.v), s


def test_the_folder_says_what_it_is(model):
    model.export("--ptx", "--target", TARGET)
    files = {path.name for path in model.out.iterdir()}
    assert {"README.md", "CMakeLists.txt", "example.cpp", "tilescope_model.h", "model.plan", "model.weights", "kernels"} <= files, files
    readme = (model.out / "README.md").read_text()
    assert f"| output | `y y` | fp32 | [{ROWS}, {COLUMNS}] |" in readme and f"`{TARGET}`" in readme, readme
    plan = (model.out / "model.plan").read_text().splitlines()
    assert plan[0] == "tilescope-model 1" and plan[-1] == "end", plan
    # Weights are there once, and inputs not at all.
    assert (model.out / "model.weights").stat().st_size < 2 * 4 * (model.w.size + model.b.size + model.v.size), plan
    assert any(line.startswith("output 576 ") and line.endswith(" y y") for line in plan), plan


def test_its_example_is_built_by_one_command(model):
    compiler = os.environ.get("CXX", "c++")
    sources = [model.out / name for name in ("example.cpp", "tilescope_cuda.cpp", "tilescope_device.cpp", "tilescope_model.cpp",
                                             "tilescope_plan.cpp")]
    model.run(compiler, "-O1", "-std=c++17", "-Wall", "-Wextra", "-Werror", *sources, "-ldl", "-o", "example")


def test_the_header_is_one_of_c(model):
    (model.folder / "header.c").write_text('#include "tilescope_model.h"\nint main(void) { return 0; }\n')
    model.run(os.environ.get("CC", "cc"), "-std=c99", "-Wall", "-Wpedantic", "-Werror", "-I", model.out, "-c", "header.c")


def test_without_a_driver_it_says_so(model):
    if ON_GPU:
        return
    told = model.example("x.npy", status=1)
    assert "input x: fp32 [6, 20]\n" in told and "error: no NVIDIA driver is there: libcuda.so.1: " in told, told


def test_wrong_files_are_told(model):
    assert "the model has 1 inputs, and there are 2 files" in model.example("x.npy", "x.npy", status=1)
    np.save(model.folder / "short.npy", model.x[:3])
    assert "does not have the 480 bytes of `x`: fp32 [6, 20]" in model.example("short.npy", status=1)
    assert "`m.onnx` is not an .npy file" in model.example("m.onnx", status=1)
    assert "model.plan`: No such file or directory; `tilescope model export` writes" in model.run(
        model.folder / "example", "--folder", "nowhere", status=1)


def test_a_plan_that_is_altered_is_refused(model):
    plan = model.out / "model.plan"
    text = plan.read_text()
    memory = next(line for line in text.splitlines() if line.startswith("memory "))
    lines = text.splitlines(keepends=True)
    for altered, says in [(text[:len(text) // 2], "model.plan`"), ("", "it is empty"), ("onnx\n", "is not a plan of"),
                          (text.replace("tilescope-model 1", "tilescope-model 9"), "has the form 9"),
                          (text.replace(memory, "memory 16"), "lies outside of the memory"),
                          (text.replace(memory, f"memory {1 << 63}"), "is not a number up to"),
                          (text.replace(memory, "memory -1"), "is not a number up to"),
                          (text.replace("\nafter 0", "\nafter 700", 1), "does not come before it"),
                          (text.replace("\nstep 0 ", "\nstep 9000 ", 1), "there is no such kernel"),
                          (text.replace("\naddress ", "\nnumber ", 1), "is not the bytes of a number"),
                          (text + "end\n", "it goes on behind its end"), ("".join(lines[:-1]), "is cut off"),
                          (text.replace("generator", "generation", 1), "`generation` is not known")]:
        assert altered != text, says
        plan.write_text(altered)
        told = model.example("x.npy", status=1)
        assert says in told, (says, told)
    plan.write_text(text)


def driver():
    return {"LD_LIBRARY_PATH": EMULATED} if EMULATED else {}


def test_the_example_computes_what_the_model_does(model):
    if not EMULATED and not ON_GPU:
        return
    told = model.example("--runs", "2", "x.npy", **driver())
    assert "m.onnx runs on " in told and "the first run took" in told, told
    for number, expected in enumerate(model.expected()):
        output = np.load(model.folder / f"output_{number}.npy")
        assert output.shape == expected.shape and output.dtype == np.float32, output
        error = np.linalg.norm(output - expected) / np.linalg.norm(expected)
        assert error < (2e-3 if ON_GPU else 1e-5), (number, error, output, expected)
        print(f"output {number}: error {error:.3g} in norm")


def test_factors_that_come_in_bulk_copies(model):
    if TARGET != "cuda:90" or (not EMULATED and not ON_GPU):
        return
    folder = model.folder / "wide"
    folder.mkdir()
    random = np.random.default_rng(3)
    x, w, b = (random.standard_normal(shape, np.float32).astype(np.float16) for shape in ((384, 768), (768, 1024), (1024,)))
    save(folder, [onnx.node("Gemm", ["x", "w", "b"], ["y"], "product")], {"x": x}, {"y": np.zeros((384, 1024), np.float16)}, [constant("w", w), constant("b", b)], 20)
    model.run(TILESCOPE, "model", "export", "wide/m.onnx", "--target", TARGET, "--ptx", "-o", "wide/deployed")
    # Type, swizzle, extents, bytes of a row, box, place.
    plan = (folder / "deployed" / "model.plan").read_text()
    for tensor in ("768 384 1536 64 64 ", "1024 768 2048 64 128 "):
        assert f"\nmap 6 3 2 {tensor}" in plan, (tensor, plan)
    model.run(model.folder / "example", "--folder", folder / "deployed", "--out", folder, "--runs", "1", folder / "in" / "x.npy", **driver())
    output, expected = np.load(folder / "output_0.npy").astype(np.float64), x.astype(np.float64) @ w + b
    error = np.linalg.norm(output - expected) / np.linalg.norm(expected)
    assert output.shape == expected.shape and error < 1e-3, error
    print(f"factors in bulk copies: error {error:.3g} in norm")


def test_what_does_not_fit_the_device_is_told(model):
    if not EMULATED:
        return
    assert "there is no device 3; the number of devices is 1" in model.example("--device", "3", status=1, **driver())
    assert "NVIDIA's driver does not start: cuInit failed: CUDA_ERROR_NO_DEVICE" in model.example(
        status=1, TILESCOPE_EMULATED_NO_DEVICE="1", **driver())
    weights = model.out / "model.weights"
    data = weights.read_bytes()
    for altered, says in ((data[:100] + b"\x00\x01" + data[102:], "model.weights` is damaged, or of another export"),
                          (data[:100], "model.weights` is cut off")):
        weights.write_bytes(altered)
        assert says in model.example(status=1, **driver())
    weights.unlink()
    assert "model.weights`: No such file" in model.example(status=1, **driver())
    weights.write_bytes(data)
    text = (model.out / "model.plan").read_text()
    (model.out / "model.plan").write_text("".join(line for line in text.splitlines(keepends=True) if not line.startswith("code ptx ")))
    told = model.example(status=1, TILESCOPE_EMULATED_CAPABILITY="80", **driver())
    if "\ncode 90 " in text:
        assert "the model is compiled for the compute capability 9.0, and Emulated GPU has 8.0: export it with `--target cuda:80`" in told, told
        told = model.example(status=1, TILESCOPE_EMULATED_CAPABILITY="130", **driver())
        assert "Emulated GPU has 13.0: export it with `--target cuda:130`, or with `--ptx` if Tilescope does not know that target" in told, told
    else:
        assert "the model is compiled for the compute capability of no device" in told, told
    (model.out / "model.plan").write_text(text)


def test_an_export_that_cannot_be_is_told(model):
    (model.folder / "taken").write_text("")
    told = model.run(TILESCOPE, "model", "export", "m.onnx", "-o", "taken", status=3)
    assert "taken" in told, told
    told = model.run(TILESCOPE, "model", "export", "m.onnx", "-o", "other", status=1)
    assert "rows" in told, told
    assert not (model.folder / "other" / "model.plan").exists()
    told = model.run(TILESCOPE, "model", "export", "gone.onnx", "-o", "other", status=1)
    assert "gone.onnx" in told, told


class SeveralShapes:
    """The same model for three numbers of rows, in one folder that is written once."""

    ROWS = (1, 6, 32)

    def __init__(self, model):
        self.model, self.out = model, model.folder / "several"
        if self.out.exists():
            return
        model.run(TILESCOPE, "model", "export", "m.onnx", "--dim", "rows=1,6,32", "-o", self.out, "--ptx", "--target", TARGET)

    def example(self, *arguments, status=0, **variables):
        return self.model.run(self.model.folder / "example", "--folder", self.out, "--out", self.model.folder, *arguments, status=status, **variables)


def test_several_shapes_have_one_folder(model):
    several = SeveralShapes(model)
    plan = (several.out / "model.plan").read_text().splitlines()
    assert plan[0] == "tilescope-model 2" and plan.count("shape") == 3, plan
    # The weights are there once, in the folder and in memory; so are kernels that have the same code for all shapes.
    assert (several.out / "model.weights").stat().st_size == (model.out / "model.weights").stat().st_size
    constants = [line for line in plan if line.startswith("constant ")]
    assert len(constants) == len(set(line.split()[3] for line in constants)) == 3, constants
    kernels = [line for line in plan if line.startswith("kernel ")]
    assert len(list((several.out / "kernels").glob("*.ptx"))) == len(kernels) < len([line for line in plan if line.startswith("step ")]), plan
    readme = (several.out / "README.md").read_text()
    assert "| 2 | output | `y y` | fp32 | [32, 24] |" in readme, readme


def test_the_files_shapes_choose(model):
    several = SeveralShapes(model)
    for rows in several.ROWS:
        np.save(model.folder / "rows.npy", np.linspace(-1, 1, rows * INNER, dtype=np.float32).reshape(rows, INNER))
        if not EMULATED and not ON_GPU:
            assert f"input x: fp32 [{rows}, 20]" in several.example("rows.npy", status=1)
            continue
        told = several.example("--runs", "2", "rows.npy", **driver())
        assert f"input x: fp32 [{rows}, 20]" in told and f"output s: fp32 [{rows}, 24]" in told, told
        model_x, model.x = model.x, np.load(model.folder / "rows.npy")
        for number, expected in enumerate(model.expected()):
            output = np.load(model.folder / f"output_{number}.npy")
            assert output.shape == expected.shape and np.linalg.norm(output - expected) < (2e-3 if ON_GPU else 1e-5) * np.linalg.norm(expected), (rows, number)
        model.x = model_x
    np.save(model.folder / "rows.npy", np.zeros((5, INNER), np.float32))
    told = several.example("rows.npy", status=1)
    assert "error: the model is not exported for x [5, 20], but for x [1, 20]; x [6, 20]; x [32, 20]" in told, told
    assert "input x: fp32 [32, 20]" in several.example("--set", "2", status=0 if EMULATED or ON_GPU else 1, **driver())
    assert "there is no set 3 of shapes; the number of sets is 3" in several.example("--set", "3", status=1)


def test_shapes_that_cannot_be_are_told(model):
    for extents, status, says in [("rows=1,", 2, "`--dim rows=1,`: a number is missing"), ("rows=2,2", 2, "`rows=2` is there twice"),
                                  ("rows=1,x", 2, "rows=x"), ("columns=1,2", 1, "columns")]:
        told = model.run(TILESCOPE, "model", "export", "m.onnx", "--dim", extents, "-o", "none", status=status)
        assert says in told, (extents, told)
    told = model.run(TILESCOPE, "model", "export", "m.onnx", "--dim", "rows=4,0", "--inputs", ".", "-o", "none", status=1)
    assert "tilescope: note: this is so with rows=4" in told, told
    assert not (model.folder / "none" / "model.plan").exists()


def main():
    with tempfile.TemporaryDirectory() as folder:
        model = Model(folder)
        for name, test in list(globals().items()):
            if name.startswith("test_"):
                test(model)
                print(f"passed: {name}")
        if "--keep" in sys.argv:
            shutil.copytree(folder, sys.argv[sys.argv.index("--keep") + 1], dirs_exist_ok=True)


if __name__ == "__main__":
    main()
