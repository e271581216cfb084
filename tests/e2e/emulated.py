# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Compiles a kernel's file and executes its machine-independent code in the emulator."""

import subprocess


def run_emulated(tilescope, emulate, source, target, dump, timeout=300):
    """Leaves the arguments after the run in the folder `dump`; returns what went wrong, None if nothing did."""
    package = source.with_suffix(".tskernel")
    for command in ([tilescope, "package", source, "--target", target, "-o", package],
                    [emulate, package, "--dump", dump]):
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=timeout)
        if done.returncode != 0:
            return f"exit status {done.returncode}: {(done.stderr or done.stdout).strip()[-400:]}"
    return None
