# SPDX-License-Identifier: GPL-3.0-or-later
# Shared by every lit suite; the suite's lit.site.cfg.py has set its folders.
import os
import sys

import lit.formats

config.name = config.suite_name
config.test_format = lit.formats.ShTest(True)
config.suffixes = [".mlir", ".ttir", ".ttgir", ".ll", ".ptx", ".kernel", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = config.suite_source_root
config.test_exec_root = os.path.join(config.suite_build_root, "output")

path = [config.tilescope_bin, config.llvm_bin, os.environ.get("PATH", "")]
config.environment["PATH"] = os.pathsep.join(path)
for variable in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "HOME", "CUDA_HOME", "TILESCOPE_NVDISASM"):
    if variable in os.environ:
        config.environment[variable] = os.environ[variable]

config.substitutions.append(("%python", sys.executable))
config.substitutions.append(
    ("%fake_runner", os.path.join(os.path.dirname(__file__), "..", "support", "fake_runner.py")))
