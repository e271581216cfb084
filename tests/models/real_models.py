#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Reads the three models of rapidocr-onnxruntime and compares shapes with those that ONNX Runtime computes.

    real_models.py TILESCOPE
"""

import json
import pathlib
import subprocess
import sys
import sysconfig

import numpy as np
import onnxruntime

# For each model: symbolic extents, and the input that they make.
MODELS = {
    "ch_PP-OCRv4_det_infer.onnx": [(1, 3, 736, 736), (2, 3, 320, 64)],
    "ch_PP-OCRv4_rec_infer.onnx": [(1, 3, 48, 320), (3, 3, 48, 97)],
    "ch_ppocr_mobile_v2.0_cls_infer.onnx": [(1, 3, 48, 192)],
}


def document(program, path, extents):
    options = [option for name, value in extents.items() for option in ("--dim", f"{name}={value}")]
    done = subprocess.run([program, "model", "check", "--json", str(path), *options], capture_output=True, text=True)
    return json.loads(done.stdout)


def main():
    folder = pathlib.Path(sysconfig.get_paths()["purelib"]) / "rapidocr_onnxruntime" / "models"
    wrong = 0
    for name, shapes in MODELS.items():
        path = folder / name
        session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
        asked = document(sys.argv[1], path, {})
        names = asked["inputs"][0]["shape"] if asked["ok"] else []
        for shape in shapes:
            extents = {extent.strip('"'): size for extent, size in zip(names, shape) if not extent.isdigit()}
            read = document(sys.argv[1], path, extents)
            outputs = session.run(None, {session.get_inputs()[0].name: np.zeros(shape, np.float32)})
            wanted = [[str(extent) for extent in output.shape] for output in outputs]
            found = [output["shape"] for output in read["outputs"]]
            wrong += found != wanted
            print(f"{name} {list(shape)}: {read['nodes']} nodes, {read['operations']} operations, outputs {found}"
                  + ("" if found == wanted else f", not {wanted}"))
            for each in read["diagnostics"]:
                print(f"  {each['severity']}: {each['node']} {each['operator']}: {each['message']}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
