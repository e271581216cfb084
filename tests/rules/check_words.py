#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks that nothing is decided by the words of a message.

What a diagnostic, a problem or an assumption is about travels beside its words: as a kind, a cause
(compiler/artifacts/DiagnosticCause.h), a source. So no code looks into messages, and the frontend
gives types, shapes and values to a message as what they are. Run without arguments from anywhere;
exits 1 and lists every line that breaks a rule.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ("compiler", "profiler", "views", "app")
# Files that read what others say, each in one place, or whose messages are not texts.
READERS = {
    "app/commands/RunnerConversation.cpp": "JSON-RPC messages",
    "compiler/pipeline/ImportStages.cpp": "MLIR's parser",
    "compiler/pipeline/LlvmStages.cpp": "LLVM's code generator",
    "compiler/target/Assembler.cpp": "ptxas and nvJitLink",
    "profiler/runner/JobProcess.cpp": "JSON-RPC messages",
}
# A singular noun: `notes.find(line)` looks into a map of notes.
MESSAGE = (r"\b\w*(?:[mM]essage|[hH]int|[rR]eason|[sS]entence|[aA]ssumption|[pP]roblem|[nN]ote)"
           r"(?:\(\))?(?:(?:\.|->)(?:text|str|toStdString)\b(?:\(\))?)?")
SEARCH = (r"(?:r?find|find_(?:first|last)\w*|starts_with|ends_with|contains|consume_(?:front|back)|"
          r"r?split|startsWith|endsWith|indexOf|lastIndexOf)")
DECISIONS = [
    re.compile(MESSAGE + r"\s*(?:\.|->)\s*" + SEARCH + r"\s*\("),
    re.compile(MESSAGE + r"\s*[!=]=\s*u?(?:QStringLiteral\()?\""),
    re.compile(r"&(?:\w+::)*(?:Diagnostic|LaunchProblem|Error)::message\b"),
    re.compile(r"regex_(?:search|match)\([^;]*\bmessage\b"),
]
CALL = re.compile(r"\b(?:fail|failAt|reject)\(")
WRITTEN = re.compile(r"\bdiagnostic\.message\s*=([^;]*);")
UNTYPED = re.compile(r"\b(?:toString|shapeToString)\(|\bdescribe\(\)")


def decisions(relative, text):
    """Lines that choose by the words of a message."""
    if relative in READERS:
        return
    for number, line in enumerate(text.splitlines(), 1):
        code = line.split("//")[0]
        if any(pattern.search(code) for pattern in DECISIONS):
            yield f"{relative}:{number}: a message's words decide nothing: give what it is about " \
                  "a kind, or a cause (DiagnosticCause.h)"


def arguments_of(text, begin):
    """The arguments of the call whose parenthesis stands before `begin`."""
    arguments, depth, start, at = [], 0, begin, begin
    while at < len(text):
        char = text[at]
        if char == '"':
            at += 1
            while text[at] != '"':
                at += 2 if text[at] == "\\" else 1
        elif char in "([{":
            depth += 1
        elif char in ")]}" and depth:
            depth -= 1
        elif char in ")," and not depth:
            arguments.append(text[start:at].strip())
            start = at + 1
            if char == ")":
                break
        at += 1
    return arguments


def untyped_messages(relative, text):
    """Calls in the frontend that turn a type into words before the message has seen it."""
    if not relative.startswith("compiler/frontend/"):
        return
    messages = [(each.start(), each.group(1)) for each in WRITTEN.finditer(text)]
    for call in CALL.finditer(text):
        arguments = arguments_of(text, call.end())
        kinds = [i for i, argument in enumerate(arguments) if "DiagnosticKind::" in argument]
        words = arguments[kinds[0] + 1:kinds[0] + 2] if kinds else arguments[:1]
        messages += [(call.start(), each) for each in words]
    for place, words in sorted(messages):
        if UNTYPED.search(words):
            number = text.count("\n", 0, place) + 1
            yield f"{relative}:{number}: give types, shapes and values to the message " \
                  "themselves: {\"… {} …\", type} (Message.h)"


def check_file(relative, text):
    return [*decisions(relative, text), *untyped_messages(relative, text)]


def main():
    faults, count = [], 0
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".h", ".cpp"):
                count += 1
                faults += check_file(path.relative_to(ROOT).as_posix(),
                                     path.read_text(encoding="utf-8"))
    faults += [f"{name}: listed as a reader of {what}, but does not exist"
               for name, what in READERS.items() if not (ROOT / name).exists()]
    print("\n".join(faults) if faults else f"{count} files decide nothing by words")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
