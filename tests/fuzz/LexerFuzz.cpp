// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Any bytes: tokens follow each other, lie inside the text and come to an end.
#include "compiler/syntax/Lexer.h"
#include "tests/fuzz/Check.h"

#include <string_view>

using namespace tilescope::compiler;
using namespace tilescope::compiler::ast;
using tilescope::fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string_view text(reinterpret_cast<const char *>(data), size);
  DiagnosticSink sink(100);
  Lexer lexer(text, 0, sink);
  uint32_t last = 0;
  size_t index = 0;
  for (; lexer.token(index).kind != TokenKind::EndOfFile; ++index) {
    const Token token = lexer.token(index);
    require(token.begin >= last && token.end >= token.begin, "tokens are in order");
    require(token.end <= size, "tokens lie inside the text");
    // Each token takes up text, but for the marks of lines and blocks.
    require(index <= 4 * size + 16, "there are not more tokens than text");
    last = token.end;
  }
  if (index > 0 && lexer.canRestartAt(index / 2)) {
    lexer.restartAt(index / 2);
    for (size_t i = index / 2; lexer.token(i).kind != TokenKind::EndOfFile; ++i)
      require(i <= 4 * size + 16, "a restart comes to an end");
  }
  tilescope::fuzz::requireSound(sink.take());
  return 0;
}
