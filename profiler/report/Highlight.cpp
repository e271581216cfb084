// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/report/Highlight.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace tilescope::profiler {

std::string escapeHtml(std::string_view text) {
  std::string result;
  result.reserve(text.size() + text.size() / 8);
  for (char c : text) {
    switch (c) {
    case '&':
      result += "&amp;";
      break;
    case '<':
      result += "&lt;";
      break;
    case '>':
      result += "&gt;";
      break;
    case '"':
      result += "&quot;";
      break;
    default:
      if ((uint8_t(c) >= 0x20 && c != 0x7f) || c == '\t' || c == '\n')
        result += c;
    }
  }
  return result;
}

static constexpr auto kIrKeywords = std::to_array<std::string_view>(
    {"module", "define", "declare", "call", "ret", "br", "phi", "load", "store", "select", "icmp",
     "fcmp", "bra", "exit", "label", "iter_args", "to", "step"});

static constexpr auto kIrTypes = std::to_array<std::string_view>(
    {"i1", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64", "half", "float", "double", "ptr",
     "void", "tensor", "index", "none"});

template <typename List> static bool contains(const List &list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

static bool isWord(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '$';
}

namespace {
/// Walks one line, token by token.
struct LineHighlighter {
  std::string_view line;
  std::string html;
  size_t at = 0;

  void span(char kind, size_t end) {
    html += "<span class=\"";
    html += kind;
    html += "\">" + escapeHtml(line.substr(at, end - at)) + "</span>";
    at = end;
  }
  void plain(size_t end) {
    html += escapeHtml(line.substr(at, end - at));
    at = end;
  }
  size_t wordEnd(size_t from) const {
    while (from < line.size() && isWord(line[from]))
      ++from;
    return from;
  }
  bool comment() const;
  size_t stringEnd() const;
  void word();
  void token();
};
} // namespace

bool LineHighlighter::comment() const {
  return line[at] == ';' ? line.substr(0, at).find_first_not_of(" \t") == std::string_view::npos
                         : line.substr(at).starts_with("//");
}

size_t LineHighlighter::stringEnd() const {
  char quote = line[at];
  for (size_t end = at + 1; end < line.size(); ++end) {
    if (line[end] == '\\')
      ++end;
    else if (line[end] == quote)
      return end + 1;
  }
  return line.size();
}

void LineHighlighter::word() {
  size_t end = wordEnd(at);
  std::string_view text = line.substr(at, end - at);
  if (std::isdigit(static_cast<unsigned char>(text[0])))
    return span('n', end);
  if (contains(kIrTypes, text))
    return span('t', end);
  // Operations of IR and instructions of machine code have a dot in their names.
  if (contains(kIrKeywords, text) || text.find('.') != std::string_view::npos)
    return span('k', end);
  plain(end);
}

void LineHighlighter::token() {
  char c = line[at];
  if (comment())
    return span('c', line.size());
  if (c == '"')
    return span('s', stringEnd());
  if (std::string_view("%!#@").find(c) != std::string_view::npos)
    return span(c == '%' ? 'v' : c == '!' ? 't' : c == '#' ? 'a' : 'f', wordEnd(at + 1));
  if (isWord(c))
    return word();
  plain(at + 1);
}

std::string highlightLine(std::string_view line) {
  LineHighlighter run{line, {}, 0};
  while (run.at < line.size())
    run.token();
  return run.html;
}

std::string highlightWords(std::string_view line, std::span<const CodeWord> words) {
  LineHighlighter run{line, {}, 0};
  for (const CodeWord &word : words) {
    const size_t begin = std::min<size_t>(word.begin, line.size());
    const size_t end = std::min<size_t>(word.end, line.size());
    if (begin < run.at || end <= begin)
      continue;
    run.plain(begin);
    run.span(word.style, end);
  }
  run.plain(line.size());
  return run.html;
}

std::string_view lineText(std::string_view source, uint32_t line) {
  for (; line > 0 && !source.empty(); --line)
    source.remove_prefix(std::min(source.find('\n'), source.size() - 1) + 1);
  return source.substr(0, source.find('\n'));
}

} // namespace tilescope::profiler
