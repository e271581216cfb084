# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Kernels compiled to packages, as `Device.run` takes them."""

import json
import os
import struct
import subprocess


def write_package(tilescope, kernels, output, target, *words):
    """Packages a kernel file's launch, with `--all-launches` each of them; returns the compiler's messages. PTX only:
    the driver of the machine with the GPU assembles it, on many cores."""
    done = subprocess.run([tilescope, "package", kernels, "-o", output, "--target", target, *words],
                          capture_output=True, text=True,
                          env={**os.environ, "TILESCOPE_NVJITLINK": "none", "TILESCOPE_PTXAS": "none"})
    return done.stderr


def read_package(path):
    """The launch facts and the machine code of a `.tskernel` file, and the arguments that its launch plans."""
    data = path.read_bytes()
    _, length = struct.unpack("<II", data[8:16])
    header = json.loads(data[16:16 + length])
    body = (16 + length + 15) // 16 * 16
    blobs = {blob["name"]: data[body + blob["offset"]:body + blob["offset"] + blob["size"]] for blob in header["blobs"]}
    plan = header["plan"]
    code = {"symbol": header["symbol"], "warps": header["num_warps"], "shared": header["shared_bytes"],
            "scratch": header.get("global_scratch_bytes", 0), "ctas": header.get("num_ctas", 1), "grid": plan["grid"],
            "parameters": [[p["name"], p["type"]] for p in header["parameters"]],
            "cubin": blobs.get("cubin") or blobs["ptx"] + b"\0"}
    return code, plan["args"]
