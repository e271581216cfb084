# SPDX-License-Identifier: GPL-3.0-or-later
"""Commands of a comparison: packages are prepared where the compiler is, run beside a GPU, and read anywhere."""

import argparse
import os
import pathlib


def argument(*names, **options):
    return names, options


FOLDER = argument("folder", type=pathlib.Path)
TILESCOPE = argument("--tilescope", default="tilescope")
TARGET = argument("--target", default="cuda:90")
JOBS = argument("--jobs", type=int, default=os.cpu_count())
RUNNER = argument("--runner", default="tilescope-runner")
JSON = argument("--json", type=pathlib.Path, required=True)


def seconds(default):
    return argument("--seconds", type=float, default=default)


def run_command(document, *commands):
    """Calls the function that the command line names, with its options. A command is a function, which has its name, and
    its arguments. Returns the exit status."""
    parser = argparse.ArgumentParser(description=document.split("\n", 1)[0])
    parsers = parser.add_subparsers(dest="command", required=True)
    for function, *arguments in commands:
        command = parsers.add_parser(function.__name__)
        command.set_defaults(function=function)
        for names, options in arguments:
            command.add_argument(*names, **options)
    options = parser.parse_args()
    return options.function(options)
