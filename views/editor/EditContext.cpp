// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/editor/EditContext.h"

#include "views/editor/PythonScanner.h"

#include <algorithm>
#include <vector>

namespace tilescope::views {

static bool isName(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// The dotted name that ends right before `end`.
static std::string nameBefore(std::string_view text, uint32_t end, uint32_t &begin) {
  begin = end;
  while (begin > 0 && (isName(text[begin - 1]) || text[begin - 1] == '.'))
    --begin;
  return std::string(text.substr(begin, end - begin));
}

/// A window of text before the cursor is enough: calls do not span hundreds of lines.
static constexpr uint32_t kWindowBytes = 8192;

CallContext callAt(std::string_view text, uint32_t offset) {
  offset = std::min<uint32_t>(offset, static_cast<uint32_t>(text.size()));
  uint32_t start = offset > kWindowBytes ? offset - kWindowBytes : 0;
  while (start > 0 && text[start - 1] != '\n')
    --start;
  struct Open {
    char bracket;
    uint32_t offset;
    int commas = 0;
    std::string keyword;
  };
  std::vector<Open> open;
  const std::string_view window = text.substr(start, offset - start);
  const ScannedText scanned = scanPython(window);
  for (size_t i = 0; i < scanned.tokens.size(); ++i) {
    const ScannedToken &token = scanned.tokens[i];
    const std::string_view word = window.substr(token.begin, token.length);
    if (token.kind == TokenKind::Keyword && (word == "def" || word == "class"))
      open.clear();
    if (token.kind != TokenKind::Operator)
      continue;
    if (word == "(" || word == "[" || word == "{") {
      open.push_back({word[0], start + token.begin, 0, {}});
    } else if (word == ")" || word == "]" || word == "}") {
      if (!open.empty())
        open.pop_back();
    } else if (word == "," && !open.empty()) {
      ++open.back().commas;
      open.back().keyword.clear();
    } else if (word == "=" && !open.empty() && i > 0) {
      const ScannedToken &name = scanned.tokens[i - 1];
      open.back().keyword = window.substr(name.begin, name.length);
    }
  }
  while (!open.empty() && open.back().bracket != '(')
    open.pop_back();
  CallContext result;
  if (open.empty())
    return result;
  result.callee = nameBefore(text, open.back().offset, result.calleeOffset);
  result.openOffset = open.back().offset;
  result.argument = open.back().commas;
  result.keyword = open.back().keyword;
  return result;
}

CompletionContext completionAt(std::string_view text, uint32_t offset) {
  offset = std::min<uint32_t>(offset, static_cast<uint32_t>(text.size()));
  CompletionContext result;
  result.prefixOffset = offset;
  while (result.prefixOffset > 0 && isName(text[result.prefixOffset - 1]))
    --result.prefixOffset;
  result.prefix = text.substr(result.prefixOffset, offset - result.prefixOffset);
  if (result.prefixOffset > 0 && text[result.prefixOffset - 1] == '.') {
    uint32_t begin = 0;
    result.object = nameBefore(text, result.prefixOffset - 1, begin);
  }
  const uint32_t lineStart =
      static_cast<uint32_t>(text.rfind('\n', offset == 0 ? 0 : offset - 1) + 1);
  for (const ScannedToken &token : scanPython(text.substr(0, offset)).tokens) {
    const bool reaches = token.begin < offset && token.end() >= offset;
    const bool comment = token.kind == TokenKind::Comment ||
                         token.kind == TokenKind::BlockComment ||
                         token.kind == TokenKind::BlockKey || token.kind == TokenKind::BlockValue;
    if (reaches && (comment || (token.kind == TokenKind::String && token.begin + 1 < offset &&
                                !(token.end() == offset && text[offset - 1] == text[token.begin]))))
      result.inert = true;
    if (comment && token.begin >= lineStart)
      result.inert = true;
  }
  if (!result.prefix.empty() && result.prefix[0] >= '0' && result.prefix[0] <= '9')
    result.inert = true;
  return result;
}

std::string dottedNameAt(std::string_view text, uint32_t offset) {
  if (offset >= text.size() || !isName(text[offset]))
    return {};
  uint32_t end = offset;
  while (end < text.size() && isName(text[end]))
    ++end;
  uint32_t begin = 0;
  return nameBefore(text, end, begin);
}

std::string wholeDottedNameAt(std::string_view text, uint32_t offset) {
  if (offset >= text.size() || !isName(text[offset]))
    return {};
  uint32_t end = offset;
  while (end < text.size() && (isName(text[end]) || (text[end] == '.' && end + 1 < text.size() &&
                                                     isName(text[end + 1]))))
    ++end;
  uint32_t begin = 0;
  return nameBefore(text, end, begin);
}

} // namespace tilescope::views
