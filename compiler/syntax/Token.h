// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tilescope::compiler::ast {

enum class TokenKind : uint8_t {
#define TILESCOPE_TOKEN(kind, name) kind,
#define TILESCOPE_KEYWORD(kind, text) kind,
#define TILESCOPE_PUNCTUATION(kind, text) kind,
#include "compiler/syntax/TokenKinds.def"
#undef TILESCOPE_TOKEN
#undef TILESCOPE_KEYWORD
#undef TILESCOPE_PUNCTUATION
};

/// Offsets and lines are zero-based; offsets count bytes of the source.
struct Token {
  TokenKind kind = TokenKind::EndOfFile;
  /// First token of its physical line.
  bool startsLine = false;
  uint32_t begin = 0;
  uint32_t end = 0;
  uint32_t beginLine = 0;
  uint32_t endLine = 0;
};

bool isKeyword(TokenKind kind);
/// The keyword that `word` is, or Name.
TokenKind classifyWord(std::string_view word);
/// Spelling of keywords and punctuation; for other tokens their usual name.
std::string_view tokenText(TokenKind kind);
/// For messages: `` `:` `` or `end of line`.
std::string tokenDescription(TokenKind kind);

} // namespace tilescope::compiler::ast
