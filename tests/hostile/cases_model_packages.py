# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Model packages that are cut off, altered or made by hand, given to the runner."""

import cases_packages as kernels
from harness import Case

MOST = (1 << 64) - 1


def step(kernel=None, **changes):
    whole = {key: value for key, value in kernels.header().items() if key != "blobs"}
    return {"node": "Add", "kernel": {**whole, "ptx": "ptx", **(kernel or {})},
            "tensors": [{"argument": "x", "buffer": 0, "is_written": True}], **changes}


def place(**changes):
    return [step(tensors=[{"argument": "x", "buffer": 0, "is_written": True, **changes}])]


def port(**changes):
    return [{"name": "y", "dtype": "fp32", "shape": [4], "buffer": 0, **changes}]


def package(**changes):
    head = {"model": "m.onnx", "target": "cuda:80", "generator": "a test", "memory_bytes": 256, "buffers": [{"at": 0, "bytes": 16}],
            "steps": [step()], "inputs": [], "outputs": port(), "blobs": [kernels.blob()], **changes}
    data = kernels.package(kernels.json.dumps(head).encode())
    return b"TS-MODEL" + data[8:]


WHOLE = package()

BYTES = {"empty": b"", "only the mark": WHOLE[:8], "cut in the header": WHOLE[:300], "cut in the blob": WHOLE[:-5], "a kernel": kernels.WHOLE,
         "of a later version": WHOLE[:8] + b"\x09" + WHOLE[9:]}

HEADERS = {
    "no steps": {"steps": None}, "steps of text": {"steps": "all"}, "a step of a number": {"steps": [7]},
    "negative memory": {"memory_bytes": -1}, "endless memory": {"memory_bytes": MOST}, "no memory": {"memory_bytes": 0},
    "buffer behind the memory": {"buffers": [{"at": 256, "bytes": 16}]}, "buffer past the end": {"buffers": [{"at": 0, "bytes": 257}]},
    "buffer that wraps around": {"buffers": [{"at": 256, "bytes": MOST - 128}]}, "buffer before the memory": {"buffers": [{"at": -256, "bytes": 16}]},
    "crooked buffer": {"buffers": [{"at": 8, "bytes": 16}]}, "contents that are not there": {"buffers": [{"at": 0, "bytes": 16, "data": "gone"}]},
    "contents that do not fill": {"buffers": [{"at": 0, "bytes": 16, "data": "ptx"}]},
    "too many buffers": {"buffers": [{"at": 0, "bytes": 16}] * 65537}, "too many steps": {"steps": [7] * 16385},
    "no such buffer": {"steps": place(buffer=1)}, "a buffer before the first": {"steps": place(buffer=-1)},
    "no such argument": {"steps": place(argument="q")}, "a number's place": {"steps": place(argument="n")}, "no place": {"steps": [step(tensors=[])]},
    "two places": {"steps": [step(tensors=place()[0]["tensors"] * 2)]}, "no kernel": {"steps": [{"node": "Add", "tensors": []}]},
    "code that is not there": {"steps": [step({"ptx": "gone"})]}, "large tensor": {"steps": [step({"plan": kernels.tensor(shape=[5])})]},
    "endless tensor": {"steps": [step({"plan": kernels.tensor(shape=[1 << 62, 4])})]}, "many warps": {"steps": [step({"num_warps": 64})]},
    "large output": {"outputs": port(shape=[5])}, "output of an unknown type": {"outputs": port(dtype="fp31")},
    "output that is not there": {"outputs": port(buffer=MOST)}, "negative output": {"outputs": port(shape=[-4])},
}


def cases():
    run = ["{runner}", "model", "m.tsmodel", "--dump", "{out}", "--json"]
    for name, data in BYTES.items():
        yield Case("model packages", name, run, {"m.tsmodel": data}, says="model package")
    for name, changes in HEADERS.items():
        yield Case("model packages", name, run, {"m.tsmodel": package(**changes)}, says="not a readable model package")
    yield Case("model packages", "sound", run, {"m.tsmodel": WHOLE}, status=(0, 1, 3), says="driver|device|node `Add`")
