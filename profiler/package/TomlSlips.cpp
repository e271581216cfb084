// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/package/TomlSlips.h"

#include "compiler/support/Text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace tilescope::profiler {
namespace {

constexpr auto npos = std::string_view::npos;

/// A string in a line: from its first quote to behind its last one, or to the end of the line.
struct LineString {
  size_t begin = 0, end = 0;
  char quote = 0;
  bool isLong = false;
  bool isClosed = false;
};

/// What a line consists of.
struct LineParts {
  std::vector<LineString> strings;
  /// Where its comment begins, or it ends.
  size_t end = 0;

  bool isInString(size_t at) const {
    return std::ranges::any_of(
        strings, [&](const LineString &each) { return each.begin <= at && at < each.end; });
  }
};

/// What is wrong with a part of a line, and what belongs there.
struct Slip {
  size_t begin = 0, end = 0;
  std::string message, replacement;
};

} // namespace

static LineString stringAt(std::string_view line, size_t begin) {
  LineString string{begin, line.size(), line[begin]};
  const std::string triple(3, string.quote);
  string.isLong = line.substr(begin).starts_with(triple);
  const std::string_view end = std::string_view(triple).substr(string.isLong ? 0 : 2);
  for (size_t at = begin + end.size(); at < line.size(); ++at) {
    if (string.quote == '"' && line[at] == '\\') {
      ++at;
    } else if (line.substr(at).starts_with(end)) {
      string.end = at + end.size();
      string.isClosed = true;
      break;
    }
  }
  return string;
}

static LineParts partsOf(std::string_view line) {
  LineParts parts;
  for (size_t at = 0; at < line.size(); ++at) {
    if (line[at] == '#') {
      parts.end = at;
      return parts;
    }
    if (line[at] != '"' && line[at] != '\'')
      continue;
    parts.strings.push_back(stringAt(line, at));
    at = parts.strings.back().end - 1;
  }
  parts.end = line.size();
  return parts;
}

static std::string quoted(std::string_view text) { return "\"" + std::string(text) + "\""; }
static std::string code(std::string_view text) { return "`" + std::string(text) + "`"; }

static bool isWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
static bool isBlank(char c) { return c == ' ' || c == '\t'; }

static std::string_view trimmedEnd(std::string_view text) {
  return text.substr(0, text.find_last_not_of(" \t") + 1);
}

/// Of a part of a line that is to be replaced.
static Slip replaced(size_t begin, size_t end, std::string message, std::string replacement) {
  return {begin, end, std::move(message), std::move(replacement)};
}

/// `“1024”`, as word processors and web pages have it.
static std::optional<Slip> foreignQuotes(std::string_view line, const LineParts &parts) {
  static constexpr std::array<std::string_view, 11> kForeign{"“", "”", "„", "‟", "‘", "’",
                                                             "‚", "«", "»", "″", "`"};
  const auto foreignAt = [&](size_t at) {
    const auto *found = std::ranges::find_if(
        kForeign, [&](std::string_view quote) { return line.substr(at).starts_with(quote); });
    return found == kForeign.end() ? std::string_view() : *found;
  };
  for (size_t begin = 0; begin < parts.end; ++begin) {
    const std::string_view first = parts.isInString(begin) ? "" : foreignAt(begin);
    if (first.empty())
      continue;
    const size_t content = begin + first.size();
    for (size_t at = content; at < parts.end; ++at) {
      const std::string_view last = line[at] == '"' ? "\"" : foreignAt(at);
      if (!last.empty())
        return replaced(begin, at + last.size(),
                        "strings are in straight quotes, as " + quoted("…") + ": this one is in " +
                            (first == "`" ? "backticks" : "typographic quotes"),
                        quoted(line.substr(content, at - content)));
    }
    return Slip{begin, content, "strings are in straight quotes, as " + quoted("…"), "\""};
  }
  return std::nullopt;
}

/// Whether a string can begin there; elsewhere quotes are a part of what is there.
static bool canBegin(std::string_view line, const LineString &string) {
  const std::string_view before = trimmed(line.substr(0, string.begin));
  return before.empty() || std::string_view("=[,").find(before.back()) != npos;
}

/// `""1024"`, `"1024""`: one quote too many; `'1024"`: two different ones.
static std::optional<Slip> unequalQuotes(std::string_view line, const LineParts &parts) {
  for (const LineString &string : parts.strings) {
    if (string.isLong || !canBegin(line, string))
      continue;
    const char other = string.quote == '"' ? '\'' : '"';
    if (!string.isClosed) {
      const size_t last = line.substr(0, parts.end).find(other, string.begin + 1);
      if (last == npos)
        continue;
      const std::string_view content = line.substr(string.begin + 1, last - string.begin - 1);
      return replaced(string.begin, last + 1,
                      std::string("the string begins with ") +
                          (string.quote == '"' ? "a double quote and ends with a single one"
                                               : "a single quote and ends with a double one"),
                      quoted(content));
    }
    const std::string_view rest = line.substr(string.end, parts.end - string.end);
    const bool isEmpty = string.end - string.begin == 2;
    if (rest.starts_with(string.quote) && !isEmpty)
      return replaced(string.begin, string.end + 1, "there is a quote too many",
                      std::string(line.substr(string.begin, string.end - string.begin)));
    if (!isEmpty || rest.empty() || std::string_view(" \t,]}").find(rest.front()) != npos)
      continue;
    const size_t closing = rest.find(string.quote);
    const std::string_view content = rest.substr(0, std::min(closing, rest.find_first_of(",]}")));
    const size_t end = string.end + content.size() + (closing == content.size() ? 1 : 0);
    return replaced(string.begin, end, "there is a quote too many", quoted(content));
  }
  return std::nullopt;
}

/// `"C:\data"`: an escape that there is none of.
static std::optional<Slip> wrongEscape(std::string_view line, const LineParts &parts) {
  for (const LineString &string : parts.strings)
    for (size_t at = string.begin; string.quote == '"' && !string.isLong && at + 1 < string.end;
         ++at) {
      if (line[at] != '\\')
        continue;
      const bool isLetter = std::isgraph(static_cast<unsigned char>(line[at + 1]));
      if (isLetter && std::string_view("btnfr\"\\uUe").find(line[at + 1]) == npos)
        return replaced(at, at + 2,
                        code(line.substr(at, 2)) + " means nothing in a string: a backslash is " +
                            code("\\\\"),
                        "\\\\" + std::string(1, line[at + 1]));
      ++at;
    }
  return std::nullopt;
}

/// `n: 1024`, `n 1024`, `n == 1024`.
static std::optional<Slip> wrongEquals(std::string_view line, const LineParts &parts) {
  const size_t begin = line.find_first_not_of(" \t");
  size_t name = begin;
  while (name < parts.end && (isWord(line[name]) || line[name] == '-'))
    ++name;
  const size_t sign = line.find_first_not_of(" \t", name);
  if (begin == npos || name == begin || sign == npos || sign >= parts.end)
    return std::nullopt;
  size_t value = sign;
  if (line[sign] == ':' || line.substr(sign).starts_with("==") ||
      line.substr(sign).starts_with(":="))
    value = line.find_first_not_of(":= \t", sign);
  else if (sign == name || line[sign] == '=' || line.substr(0, parts.end).find('=', sign) != npos ||
           (!std::isdigit(static_cast<unsigned char>(line[sign])) &&
            std::string_view("\"'[{").find(line[sign]) == npos))
    return std::nullopt;
  if (value == npos)
    return std::nullopt;
  const std::string key(line.substr(begin, name - begin));
  const std::string_view rest = trimmed(line.substr(value, parts.end - value));
  return replaced(begin, value + rest.size(),
                  "the name " + code(key) + " and its value are joined by one " + code("="),
                  key + " = " + std::string(rest));
}

/// `{ dtype: "fp32" }`, as JSON and Python write tables.
static std::optional<Slip> colonsInTable(std::string_view line, const LineParts &parts) {
  std::vector<size_t> colons;
  int depth = 0;
  for (size_t at = 0; at < parts.end; ++at) {
    if (parts.isInString(at))
      continue;
    depth += (line[at] == '{') - (line[at] == '}');
    const size_t before = at == 0 ? npos : line.find_last_not_of(" \t", at - 1);
    if (line[at] == ':' && depth > 0 && before != npos &&
        (isWord(line[before]) || line[before] == '"'))
      colons.push_back(at);
  }
  if (colons.empty())
    return std::nullopt;
  // All of them are of one mistake: the whole table is written anew.
  const size_t begin = line.find('{'), close = line.rfind('}', parts.end - 1);
  const size_t end = close == npos || close < colons.back() ? parts.end : close + 1;
  std::string text;
  size_t from = begin;
  for (const size_t colon : colons) {
    text += std::string(trimmedEnd(line.substr(from, colon - from))) + " = ";
    from = std::min(line.find_first_not_of(": \t", colon), end);
  }
  text += trimmedEnd(line.substr(from, end - from));
  return replaced(begin, end,
                  "a key and its value are joined by " + code("=") + ", not by " + code(":"), text);
}

/// `{ dtype = "fp32" shape = [4] }`, `[1 2]`.
static std::optional<Slip> missingComma(std::string_view line, const LineParts &parts) {
  int depth = 0;
  for (size_t at = 0; at + 1 < parts.end; ++at) {
    if (!parts.isInString(at))
      depth += (line[at] == '[' || line[at] == '{') - (line[at] == ']' || line[at] == '}');
    const bool endsValue = (parts.isInString(at) && !parts.isInString(at + 1)) ||
                           (!parts.isInString(at) && (isWord(line[at]) || line[at] == ']'));
    const size_t next = line.find_first_not_of(" \t", at + 1);
    if (!endsValue || depth == 0 || next == npos || next == at + 1 || next >= parts.end ||
        !(isWord(line[next]) || line[next] == '"' || line[next] == '\''))
      continue;
    size_t end = next + 1;
    while (end < parts.end && isWord(line[next]) && isWord(line[end]))
      ++end;
    if (!isWord(line[next]))
      end = stringAt(line, next).end;
    const std::string_view item = line.substr(next, end - next);
    Slip slip{at + 1, end, "a comma is missing in front of " + code(item),
              ", " + std::string(item)};
    return slip;
  }
  return std::nullopt;
}

/// `grid = [4];`
static std::optional<Slip> behindValue(std::string_view line, const LineParts &parts) {
  size_t end = parts.end;
  while (end > 0 && isBlank(line[end - 1]))
    --end;
  size_t begin = end;
  while (begin > 0 && std::string_view(";,.").find(line[begin - 1]) != npos &&
         !parts.isInString(begin - 1))
    --begin;
  const size_t equals = line.find('=');
  const size_t value = equals == npos ? npos : line.find_first_not_of(" \t", equals + 1);
  if (begin == end || value == npos || value >= begin)
    return std::nullopt;
  return replaced(value, end,
                  code(line.substr(begin, end - begin)) + " does not belong behind the value of " +
                      code(trimmed(line.substr(0, equals))),
                  std::string(line.substr(value, begin - value)));
}

/// `[args`
static std::optional<Slip> openHeader(std::string_view line, const LineParts &parts) {
  const std::string_view header = trimmed(line.substr(0, parts.end));
  if (!header.starts_with('[') || header.size() < 2 ||
      !std::ranges::all_of(header.substr(1), isWord))
    return std::nullopt;
  const auto begin = static_cast<size_t>(header.data() - line.data());
  return replaced(begin, begin + header.size(),
                  "the name of the table " + code(header) + " is not closed by " + code("]"),
                  std::string(header) + "]");
}

/// `'''1024"`: a string of several lines that has no end in the lines behind it.
static std::optional<Slip> openLongString(const std::vector<std::string_view> &lines, size_t row) {
  const std::string_view line = lines[row];
  const LineParts parts = partsOf(line);
  if (parts.strings.empty() || !parts.strings.back().isLong || parts.strings.back().isClosed)
    return std::nullopt;
  const LineString &string = parts.strings.back();
  if (!canBegin(line, string))
    return std::nullopt;
  const std::string mark(3, string.quote);
  for (size_t next = row + 1; next < lines.size(); ++next)
    if (lines[next].find(mark) != npos)
      return std::nullopt;
  std::string_view content = trimmed(line.substr(string.begin + 3));
  content = content.substr(0, content.find_first_of("\"',]}"));
  const size_t end =
      string.begin + 3 + (line.substr(string.begin + 3).find(content)) + content.size();
  const bool hasQuote = end < line.size() && (line[end] == '"' || line[end] == '\'');
  return replaced(string.begin, end + (hasQuote ? 1 : 0),
                  code(mark) + " begins a string of several lines, which is never closed",
                  quoted(content));
}

static bool beginsEntry(std::string_view line) {
  const std::string_view text = trimmed(line);
  if (text.starts_with('[') && text.ends_with(']') && text.size() > 2)
    return std::ranges::all_of(text.substr(1, text.size() - 2), isWord);
  const size_t equals = text.find('=');
  return equals != npos && equals > 0 &&
         std::ranges::all_of(trimmed(text.substr(0, equals)), isWord);
}

/// `grid = [4`, of which the next line is taken for a part: the row of the bracket, and the slip.
static std::optional<std::pair<size_t, Slip>>
openBracket(const std::vector<std::string_view> &lines, size_t row) {
  std::vector<std::pair<size_t, char>> open;
  for (size_t at = 0; at < row; ++at) {
    if (!open.empty() && beginsEntry(lines[at]))
      break;
    const LineParts parts = partsOf(lines[at]);
    for (size_t i = 0; i < parts.end; ++i) {
      const char c = lines[at][i];
      if (parts.isInString(i) || (open.empty() && c == '[' && lines[at].find('=') > i))
        continue;
      if (c == '[' || c == '{')
        open.emplace_back(at, c == '[' ? ']' : '}');
      else if (!open.empty() && c == open.back().second)
        open.pop_back();
    }
  }
  if (open.empty() || row >= lines.size() || !beginsEntry(lines[row]))
    return std::nullopt;
  const size_t at = open.front().first;
  const std::string_view line = lines[at];
  const size_t equals = line.find('=');
  const size_t value = equals == npos ? npos : line.find_first_not_of(" \t", equals + 1);
  if (value == npos)
    return std::nullopt;
  const std::string_view written = trimmed(line.substr(value, partsOf(line).end - value));
  std::string closed(written);
  for (size_t i = open.size(); i-- > 0;)
    closed += open[i].second;
  return std::pair(at, replaced(value, value + written.size(),
                                code(std::string(1, open.back().second == ']' ? '[' : '{')) +
                                    " in the value of " + code(trimmed(line.substr(0, equals))) +
                                    " is never closed",
                                std::move(closed)));
}

static LaunchProblem problemOf(const Slip &slip, const Position &begin) {
  LaunchProblem problem;
  problem.range = {{begin.line, begin.column + static_cast<uint32_t>(slip.begin)},
                   {begin.line, begin.column + static_cast<uint32_t>(slip.end)}};
  problem.message = slip.message;
  problem.replacement = slip.replacement;
  return problem;
}

std::optional<LaunchProblem> tomlSlip(const std::vector<std::string_view> &lines,
                                      const std::vector<Position> &begins, size_t row) {
  const size_t last = std::min({row, lines.size() - 1, begins.size() - 1});
  for (size_t at = 0; at <= last; ++at)
    if (const std::optional<Slip> slip = openLongString(lines, at))
      return problemOf(*slip, begins[at]);
  if (const auto bracket = openBracket(lines, last))
    return problemOf(bracket->second, begins[bracket->first]);
  const LineParts parts = partsOf(lines[last]);
  for (const auto find : {foreignQuotes, unequalQuotes, wrongEscape, openHeader, wrongEquals,
                          colonsInTable, missingComma, behindValue})
    if (const std::optional<Slip> slip = find(lines[last], parts))
      return problemOf(*slip, begins[last]);
  return std::nullopt;
}

} // namespace tilescope::profiler
