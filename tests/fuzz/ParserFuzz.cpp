// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Any bytes: a tree comes out, its nodes lie inside the text, and what reads trees bears it.
#include "compiler/syntax/EditorServices.h"
#include "compiler/syntax/ModuleIndex.h"
#include "compiler/syntax/Parser.h"
#include "tests/fuzz/Check.h"

#include <string>

using namespace tilescope::compiler;
using namespace tilescope::compiler::ast;
using tilescope::fuzz::require;

/// Everything that an editor asks at a key, at a place of the text that the text itself chooses.
static void askEditorDocument(const std::string &text) {
  const EditorDocument document(text);
  tilescope::Position last;
  for (const ClassifiedToken &token : document.classifyTokens()) {
    require(last <= token.range.begin && token.range.begin <= token.range.end,
            "tokens follow each other");
    last = token.range.end;
  }
  document.foldingRanges();
  document.outline();
  const auto line = static_cast<uint32_t>(text.size() * 7 % document.tree().lineOffsets.size());
  for (const uint32_t column : {0u, 3u, 200u}) {
    const tilescope::Position at{line, column};
    document.complete(at);
    document.signatureHelp(at);
    document.hover(at);
    document.dottedNameAt(at);
    document.isInsideText(at);
    document.statementLines(line);
    document.indentationBelow(at);
  }
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string text(reinterpret_cast<const char *>(data), size);
  const std::shared_ptr<const SyntaxTree> tree = parseModule(text);
  require(tree && tree->module, "there is a tree for any text");
  tilescope::fuzz::requireSound(tree->diagnostics);
  const auto numLines = static_cast<uint32_t>(tree->lineOffsets.size());
  walk(*tree->module, [&](const Node &node) {
    require(node.range.begin.line < numLines && node.range.end.line <= numLines,
            "nodes lie inside the text");
    return true;
  });
  dumpAst(*tree->module);
  const ModuleIndex index = indexModule(*tree);
  for (const JitFunction &function : index.functions)
    require(function.def != nullptr, "a function has a definition");
  parseExpression(text);
  askEditorDocument(text);
  return 0;
}
