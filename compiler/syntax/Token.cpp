// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/syntax/Token.h"

#include <array>
#include <vector>

namespace tilescope::compiler::ast {

bool isKeyword(TokenKind kind) { return kind >= TokenKind::KwFalse && kind <= TokenKind::KwYield; }

std::string_view tokenText(TokenKind kind) {
  switch (kind) {
#define TILESCOPE_TOKEN(kindName, name)                                                            \
  case TokenKind::kindName:                                                                        \
    return name;
#define TILESCOPE_KEYWORD(kindName, text) TILESCOPE_TOKEN(kindName, text)
#define TILESCOPE_PUNCTUATION(kindName, text) TILESCOPE_TOKEN(kindName, text)
#include "compiler/syntax/TokenKinds.def"
#undef TILESCOPE_TOKEN
#undef TILESCOPE_KEYWORD
#undef TILESCOPE_PUNCTUATION
  }
  return {};
}

std::string tokenDescription(TokenKind kind) {
  std::string text(tokenText(kind));
  return kind <= TokenKind::FStringEnd ? text : "`" + text + "`";
}

namespace {
struct Keyword {
  std::string_view text;
  TokenKind kind;
};
} // namespace

static constexpr Keyword kKeywords[] = {
#define TILESCOPE_TOKEN(kind, name)
#define TILESCOPE_PUNCTUATION(kind, text)
#define TILESCOPE_KEYWORD(kind, text) {text, TokenKind::kind},
#include "compiler/syntax/TokenKinds.def"
#undef TILESCOPE_TOKEN
#undef TILESCOPE_KEYWORD
#undef TILESCOPE_PUNCTUATION
};

static constexpr size_t kMaxKeywordLength = 8;

/// Keywords by first letter, so that most names are recognized as names after one comparison.
static const std::array<std::vector<Keyword>, 128> &keywordsByLetter() {
  static const std::array<std::vector<Keyword>, 128> table = [] {
    std::array<std::vector<Keyword>, 128> result;
    for (const Keyword &keyword : kKeywords)
      result[static_cast<unsigned char>(keyword.text[0])].push_back(keyword);
    return result;
  }();
  return table;
}

TokenKind classifyWord(std::string_view word) {
  unsigned char first = word.empty() ? 0 : word[0];
  if (word.size() < 2 || word.size() > kMaxKeywordLength || first >= 128)
    return TokenKind::Name;
  for (const Keyword &keyword : keywordsByLetter()[first])
    if (keyword.text == word)
      return keyword.kind;
  return TokenKind::Name;
}

} // namespace tilescope::compiler::ast
