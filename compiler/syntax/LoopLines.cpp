// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/syntax/LoopLines.h"

#include <cctype>
#include <set>

namespace tilescope::compiler::ast {

using Names = std::set<std::string_view>;

static bool isNameLetter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// The names in code, without members (`load` of `tl.load`) and the words of arguments (`mask=`).
static Names namesIn(std::string_view code) {
  Names names;
  code = code.substr(0, code.find('#'));
  for (size_t at = 0; at < code.size();) {
    if (!isNameLetter(code[at])) {
      ++at;
      continue;
    }
    const size_t begin = at;
    while (at < code.size() && isNameLetter(code[at]))
      ++at;
    const bool isMember = begin > 0 && code[begin - 1] == '.';
    const bool isWord = at + 1 < code.size() && code[at] == '=' && code[at + 1] != '=';
    if (!isMember && !isWord && !std::isdigit(static_cast<unsigned char>(code[begin])))
      names.insert(code.substr(begin, at - begin));
  }
  return names;
}

namespace {
/// `name = code` and `name += code`; another line has no name.
struct LineParts {
  std::string_view name;
  std::string_view code;
  bool isUpdate = false;
};
} // namespace

static LineParts partsOf(std::string_view line) {
  const size_t begin = line.find_first_not_of(" \t");
  if (begin == std::string_view::npos)
    return {};
  size_t end = begin;
  while (end < line.size() && isNameLetter(line[end]))
    ++end;
  const size_t sign = line.find_first_not_of(' ', end);
  if (end == begin || sign == std::string_view::npos)
    return {{}, line};
  const size_t equals = line.find('=', sign);
  const bool isPlain = equals == sign && line.substr(equals, 2) != "==";
  const bool isUpdate =
      equals != std::string_view::npos && equals - sign <= 3 && equals > sign &&
      line.substr(sign, equals - sign).find_first_not_of("+-*/%&|^<>@") == std::string_view::npos &&
      line.substr(equals, 2) != "==" && line.substr(sign, 2) != "<=" &&
      line.substr(sign, 2) != ">=";
  if (!isPlain && !isUpdate)
    return {{}, line};
  return {line.substr(begin, end - begin), line.substr(equals + 1), isUpdate};
}

size_t numLoopLines(std::string_view head, const std::vector<std::string_view> &lines) {
  const size_t begin = head.find_first_not_of(" \t");
  if (begin == std::string_view::npos)
    return 0;
  head = head.substr(begin);
  const bool isFor = head.starts_with("for ") && head.find(" in ") != std::string_view::npos;
  if (!isFor && !head.starts_with("while "))
    return 0;
  // What each turn has anew; a `while` changes what it looks at.
  Names ofTurn = isFor ? namesIn(head.substr(4, head.find(" in ") - 4)) : Names();
  const Names watched = isFor ? Names() : namesIn(head.substr(6));
  size_t numLines = 0;
  for (size_t i = 0; i < lines.size(); ++i) {
    const LineParts parts = partsOf(lines[i]);
    const Names read = namesIn(parts.code);
    bool isOfLoop = parts.isUpdate || read.contains(parts.name) || watched.contains(parts.name);
    for (const std::string_view name : read)
      isOfLoop |= ofTurn.contains(name);
    if (isOfLoop)
      numLines = i + 1;
    if (!parts.name.empty() && !parts.isUpdate && !read.contains(parts.name))
      ofTurn.insert(parts.name);
  }
  return numLines;
}

} // namespace tilescope::compiler::ast
