// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Reads a Python file from standard input and prints its syntax tree with positions, or its
// diagnostics. compare_ast.py holds the tree against Python's own.
#include "compiler/syntax/Parser.h"

#include <cstdio>
#include <iostream>
#include <iterator>

using namespace tilescope::compiler;

int main() {
  std::string source(std::istreambuf_iterator<char>(std::cin), {});
  auto tree = ast::parseModule(std::move(source));
  for (const Diagnostic &diagnostic : tree->diagnostics)
    std::fprintf(stderr, "%u:%u: %s: %s\n", diagnostic.range.begin.line + 1,
                 diagnostic.range.begin.column, std::string(diagnosticId(diagnostic.kind)).c_str(),
                 diagnostic.message.c_str());
  std::string text = ast::dumpAst(*tree->module, {.positions = true}).text;
  std::fwrite(text.data(), 1, text.size(), stdout);
  return tree->hasErrors() ? 1 : 0;
}
