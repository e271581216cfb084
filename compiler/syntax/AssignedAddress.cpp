// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/syntax/AssignedAddress.h"

#include <algorithm>
#include <cctype>

namespace tilescope::compiler::ast {

const Expr *assignedAddress(const Expr &target) {
  if (const auto *starred = as<Starred>(&target))
    return starred->value;
  const auto *sum = as<BinOp>(&target);
  return sum && sum->op == BinaryOpKind::Add ? sum : nullptr;
}

static bool isWritable(const ParsedText &text, const SourceRange &range) {
  return range.begin.line == range.end.line && range.begin < range.end &&
         text.source.find("triton.language as tl") != std::string_view::npos;
}

static std::string textOf(const ParsedText &text, const SourceRange &range) {
  return std::string(text.source.substr(text.lineOffsets[range.begin.line] + range.begin.column,
                                        range.end.column - range.begin.column));
}

static bool isNamePart(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// Where the bracket at `at` is closed; the code's size: it is not.
static size_t closerOf(std::string_view code, size_t at) {
  int depth = 0;
  for (size_t i = at; i < code.size(); ++i) {
    depth += code[i] == '(' || code[i] == '[' ? 1 : code[i] == ')' || code[i] == ']' ? -1 : 0;
    if (depth == 0)
      return i;
  }
  return code.size();
}

/// The end of what a `*` of C reads, which begins at `at`: a name or something in parentheses, with what
/// follows them without a blank: `p`, `(p + i)`, `p.to(t)[0]`. `at`: there is none.
static size_t operandEnd(std::string_view code, size_t at) {
  size_t end = at;
  while (end < code.size()) {
    if (isNamePart(code[end]) || (code[end] == '.' && end > at)) {
      ++end;
      continue;
    }
    if (code[end] != '(' && (code[end] != '[' || end == at))
      return end;
    const size_t closer = closerOf(code, end);
    if (closer == code.size())
      return at;
    end = closer + 1;
  }
  return end;
}

/// Whether a `*` behind `before` has nothing on its left to multiply, and does not unpack an argument.
static bool isPrefix(std::string_view before) {
  const size_t last = before.find_last_not_of(' ');
  if (last == std::string_view::npos)
    return true;
  const char c = before[last];
  if (isNamePart(c) || c == ')' || c == ']' || c == '"' || c == '\'' || c == '.' || c == ',')
    return false;
  return c != '(' || last == 0 || !(isNamePart(before[last - 1]) || before[last - 1] == ']');
}

static std::string loadOf(std::string_view operand) {
  const bool isGroup = operand.starts_with('(') && closerOf(operand, 0) + 1 == operand.size();
  return "tl.load(" + withLoads(isGroup ? operand.substr(1, operand.size() - 2) : operand) + ")";
}

std::string withLoads(std::string_view code) {
  // Strings may hold anything.
  if (code.find_first_of("\"'") != std::string_view::npos)
    return std::string(code);
  std::string text;
  for (size_t i = 0; i < code.size(); ++i) {
    const bool isPower = code.substr(i, 2) == "**";
    const size_t begin = std::min(code.find_first_not_of(' ', i + 1), code.size());
    const size_t end = operandEnd(code, begin);
    if (code[i] == '*' && !isPower && end > begin && isPrefix(code.substr(0, i))) {
      text += loadOf(code.substr(begin, end - begin));
      i = end - 1;
      continue;
    }
    text += code[i];
    if (isPower)
      text += code[++i];
  }
  return text;
}

std::string storeFor(const ParsedText &text, const SourceRange &address, const SourceRange &value) {
  return isWritable(text, address) && isWritable(text, value)
             ? "tl.store(" + textOf(text, address) + ", " + withLoads(textOf(text, value)) + ")"
             : std::string();
}

PointerOfC pointerOfC(const ParsedText &text, const SourceRange &range) {
  if (!isWritable(text, range))
    return {"Python has no `*pointer`: `tl.load(pointer)` reads what is there", {}};
  const std::string code = withLoads(textOf(text, range));
  return {"Python has no `*pointer`: `" + code + "` reads what is there",
          {{range, code, "write `" + code + "`"}}};
}

} // namespace tilescope::compiler::ast
