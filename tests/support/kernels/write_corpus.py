#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Writes a folder of kernel files for `tilescope check`: write_corpus.py FOLDER [--files N] [--seed S]

Most files hold one to four valid kernels; every tenth has a fault, and every twentieth no kernel at all.
`corpus.json` says what is in them.
"""

import argparse
import json
import pathlib
import random
import re

from random_kernels import RandomKernel

FAULTS = [
    "    tl.store(in0_ptr + offs, missing_name)",
    "    wrong = tl.arange(0, 48)",
    "    wrong = tl.zeros([32], tl.float32) + tl.zeros([8], tl.float32)",
    "    wrong = tl.load(n)",
    "    wrong = tl.exp(offs)",
    "    if offs < n:\n        wrong = 1",
]
PLAIN = '"""Helpers of the host side."""\n\n\ndef grid(n, block):\n    return ((n + block - 1) // block,)\n'


def file_of(seed, with_fault):
    chooser = random.Random(seed)
    count = chooser.randint(1, 4)
    kernels = [RandomKernel(seed * 10 + i, name=f"kernel_{i}") for i in range(count)]
    parts = [kernel.file_text(with_header=i == 0) for i, kernel in enumerate(kernels)]
    if with_fault:
        parts[-1] += chooser.choice(FAULTS) + "\n"
    # Helpers of different kernels must not share a name.
    for i, kernel in enumerate(kernels):
        for helper in kernel.helpers:
            name = helper.split("def ")[1].split("(")[0]
            parts[i] = re.sub(rf"\b{name}\b", f"{name}_{i}", parts[i])
    return "\n\n".join(parts), count


def write(folder, files, seed):
    facts = {"files": files, "kernels": 0, "faulty": 0}
    for index in range(files):
        target = folder / f"part{index // 100}"
        target.mkdir(parents=True, exist_ok=True)
        path = target / f"kernels{index:04}.py"
        if index % 20 == 19:
            path.write_text(PLAIN)
            continue
        with_fault = index % 10 == 5
        text, count = file_of(seed * 100000 + index, with_fault)
        path.write_text(text)
        facts["kernels"] += count
        facts["faulty"] += with_fault
    (folder / "corpus.json").write_text(json.dumps(facts))
    return facts


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print(json.dumps(write(options.folder, options.files, options.seed)))


if __name__ == "__main__":
    main()
