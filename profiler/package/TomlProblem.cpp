// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/package/TomlProblem.h"

#include "compiler/support/Text.h"
#include "profiler/data/Dtype.h"
#include "profiler/package/LaunchAdvice.h"
#include "profiler/package/PythonForms.h"

#include <algorithm>
#include <cctype>

namespace tilescope::profiler {

static bool isWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// Where the expression that begins at `begin` ends: `cdiv(n, BLOCK)`, `torch.float32`.
static size_t expressionEnd(std::string_view value, size_t begin) {
  int depth = 0;
  size_t end = begin;
  for (; end < value.size(); ++end) {
    depth += (value[end] == '(') - (value[end] == ')');
    if (depth < 0 || (depth == 0 && std::string_view(",]}#").find(value[end]) != value.npos))
      break;
  }
  return begin + trimmed(value.substr(begin, end - begin)).size();
}

/// The first word of a table or list that is used where a value belongs, as the item with its key:
/// `dtype = fp32`, `cdiv(n, BLOCK)`. Empty when all words are in quotes.
static std::string_view itemWithoutQuotes(std::string_view value) {
  // Where the item begins, and its value.
  size_t item = 0, own = 0;
  int depth = 0;
  bool isQuoted = false;
  for (size_t i = 0; i < value.size(); ++i) {
    isQuoted ^= value[i] == '"' || value[i] == '\'';
    if (isQuoted)
      continue;
    depth += (value[i] == '(') - (value[i] == ')');
    if (depth == 0 && (value[i] == '{' || value[i] == '[' || value[i] == ','))
      item = own = i + 1;
    if (depth == 0 && value[i] == '=')
      own = i + 1;
    if (!std::isalpha(static_cast<unsigned char>(value[i])) || (i > 0 && isWord(value[i - 1])))
      continue;
    const size_t begin = i;
    while (i + 1 < value.size() && isWord(value[i + 1]))
      ++i;
    const std::string_view word = value.substr(begin, i + 1 - begin);
    const size_t next = value.find_first_not_of(' ', i + 1);
    const bool isKey = next != std::string_view::npos && value[next] == '=';
    if (!isKey && word != "true" && word != "false" && word != "inf" && word != "nan")
      return trimmed(
          value.substr(item, expressionEnd(value, value.find_first_not_of(' ', own)) - item));
  }
  return {};
}

/// The comma behind the last item of a table; npos: there is none.
static size_t trailingComma(std::string_view value) {
  bool isQuoted = false;
  size_t comma = std::string_view::npos;
  for (size_t i = 0; i < value.size(); ++i) {
    isQuoted ^= value[i] == '"' || value[i] == '\'';
    if (!isQuoted && value[i] == '}' && comma != std::string_view::npos)
      return comma;
    if (!isQuoted && value[i] == ',')
      comma = i;
    else if (value[i] != ' ' && value[i] != '\t')
      comma = std::string_view::npos;
  }
  return std::string_view::npos;
}

/// Whether the item stands where a table, which it is not nested in a list of, has a key.
static bool isKeyOfTable(std::string_view value, std::string_view item) {
  const std::string_view before = value.substr(0, static_cast<size_t>(item.data() - value.data()));
  return value.starts_with('{') && item.find('=') == std::string_view::npos &&
         std::ranges::count(before, '[') == std::ranges::count(before, ']');
}

/// Of the number that a value begins with.
static size_t numDigits(std::string_view value) {
  return std::min(value.find_first_not_of("0123456789"), value.size());
}

/// Whether the rest of a value is letters: `x` of `208x`.
static bool isWordFrom(std::string_view value, size_t at) {
  return at < value.size() && std::ranges::all_of(value.substr(at), isWord);
}

/// The string that has its second quote alone, `open`: `min(x, 1)"` of `expected = min(x, 1)" }`. Empty where
/// `open` begins one, or what is before it is no such.
static std::string_view closedOnly(std::string_view line, std::string_view open) {
  if (open.size() != 1)
    return {};
  const auto end = static_cast<size_t>(open.data() - line.data());
  const size_t equals = line.substr(0, end).rfind(" = ");
  if (equals == std::string_view::npos)
    return {};
  const std::string_view text = trimmed(line.substr(equals + 3, end - equals - 3));
  const bool isPlain = !text.empty() && text.find_first_of("\"'{}[]") == std::string_view::npos;
  return isPlain ? line.substr(static_cast<size_t>(text.data() - line.data()),
                               end + 1 - static_cast<size_t>(text.data() - line.data()))
                 : std::string_view();
}

/// The beginning of the string that lacks its second quote, up to where it was meant to end: `"fp32`
/// of `{ dtype = "fp32, shape = ["n"] }`. Empty when all strings are closed.
static std::string_view openString(std::string_view value) {
  if (std::ranges::count(value, '"') % 2 == 0)
    return {};
  for (size_t begin = value.find('"'); begin != std::string_view::npos;) {
    const size_t end = value.find('"', begin + 1);
    // Commas and equals signs are in expressions, but not both in one.
    const std::string_view content = value.substr(begin + 1, end - begin - 1);
    const size_t comma = content.find(',');
    if (end == std::string_view::npos || trimmed(content).ends_with(',') ||
        content.find('=', comma) != std::string_view::npos) {
      size_t past = 0;
      for (int depth = 0; past < content.size(); ++past) {
        depth += (content[past] == '(') - (content[past] == ')');
        if (depth <= 0 && std::string_view(",]}").find(content[past]) != std::string_view::npos)
          break;
      }
      return trimmed(value.substr(begin, past + 1));
    }
    begin = value.find('"', end + 1);
  }
  return {};
}

/// The bracket or brace that is not closed, or closes nothing; 0: none.
static char unpairedBracket(std::string_view value) {
  std::string open;
  bool isQuoted = false;
  for (const char c : value) {
    isQuoted ^= c == '"';
    if (isQuoted)
      continue;
    if (c == '[' || c == '{') {
      open += c;
    } else if (c == ']' || c == '}') {
      const char opener = c == ']' ? '[' : '{';
      if (open.find(opener) == std::string::npos)
        return c;
      if (open.back() != opener)
        return open.back();
      open.pop_back();
    }
  }
  return open.empty() ? '\0' : open.back();
}

static bool isPlainKey(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, isWord);
}

/// Has a part of `line`, which begins at `lineBegin`, replaced.
static void offer(LaunchProblem &problem, std::string_view line, std::string_view part,
                  const std::optional<Position> &lineBegin, std::string replacement) {
  if (!lineBegin)
    return;
  const auto column = lineBegin->column + static_cast<uint32_t>(part.data() - line.data());
  problem.range = {{lineBegin->line, column},
                   {lineBegin->line, column + static_cast<uint32_t>(part.size())},
                   problem.range.file};
  problem.replacement = std::move(replacement);
}

/// Of `True` and `False`, as Python writes them; nothing: the value is another.
static std::optional<LaunchProblem> truthProblem(const SourceRange &at, std::string_view line,
                                                 std::string_view value,
                                                 const std::optional<Position> &lineBegin) {
  std::string lower(value);
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (lower != "true" && lower != "false")
    return std::nullopt;
  LaunchProblem problem{at, "`" + std::string(value) + "` is not a value of a launch block",
                        "write `" + lower + "`, with small letters", true};
  offer(problem, line, value, lineBegin, lower);
  return problem;
}

/// Of a value that is written as in a script: the value of `key` that says the same; nothing: it is
/// not.
static std::optional<LaunchProblem> scriptProblem(const SourceRange &at, std::string_view line,
                                                  std::string_view key, std::string_view value,
                                                  const std::optional<Position> &lineBegin) {
  const std::vector<std::string_view> items = sequenceItems(value);
  const std::string meant = items.empty() ? describedArray(value) : "[" + tomlItems(items) + "]";
  if (meant.empty() || value.starts_with('['))
    return std::nullopt;
  LaunchProblem problem{at,
                        "`" + std::string(value) +
                            (items.empty() ? "` makes an array, which a launch block describes"
                                           : "` is a tuple, and a launch block has lists"),
                        "write `" + std::string(key) + " = " + meant + "`", true};
  offer(problem, line, value, lineBegin, meant);
  return problem;
}

/// Of a grid that is the function which a script passes; nothing: it is not.
static std::optional<LaunchProblem> functionProblem(const SourceRange &at, std::string_view line,
                                                    std::string_view value,
                                                    const std::optional<Position> &lineBegin) {
  if (!value.starts_with("lambda "))
    return std::nullopt;
  const std::vector<std::string> codes = returnedBy(value);
  const std::string meant =
      "[" + tomlItems(std::vector<std::string_view>(codes.begin(), codes.end())) + "]";
  LaunchProblem problem{
      at, "a grid in a launch block is a list of expressions, not a function",
      codes.empty() ? "e.g. `grid = [\"cdiv(n, BLOCK)\"]`" : "write `grid = " + meant + "`", true};
  if (!codes.empty())
    offer(problem, line, value, lineBegin, meant);
  return problem;
}

/// Of the words in `item` at the end of `line`, which begins at `lineBegin`: they need quotes.
static LaunchProblem unquotedProblem(const SourceRange &at, std::string_view line,
                                     std::string_view item,
                                     const std::optional<Position> &lineBegin) {
  const size_t assigned = item.find('=');
  const bool hasKey = assigned != std::string_view::npos && item.find("==") != assigned;
  const size_t begin = hasKey ? std::min(item.find_first_not_of("= ", assigned), item.size()) : 0;
  const std::string key(item.substr(0, begin)), value(item.substr(begin));
  const std::string_view name = trimmed(item.substr(0, assigned));
  if (auto truth = truthProblem(at, line, trimmed(item.substr(begin)), lineBegin))
    return *truth;
  if (auto script =
          hasKey ? scriptProblem(at, line, name, item.substr(begin), lineBegin) : std::nullopt)
    return *script;
  const bool isForeign = key.starts_with("dtype") && !parseDtype(value);
  const std::optional<Dtype> dtype = isForeign ? meantDtype(value) : std::nullopt;
  const std::string quoted = "\"" + (dtype ? std::string(dtypeName(*dtype)) : value) + "\"";
  LaunchProblem problem{at, "`" + value + "` is neither a number nor a string",
                        "a string needs quotes: `" + key + quoted + "`", true};
  if (value.find_first_of("\"'") == std::string::npos)
    offer(problem, line, item.substr(begin), lineBegin, quoted);
  return problem;
}

LaunchProblem tomlProblem(const SourceRange &at, std::string_view wholeLine,
                          std::string_view complaint, std::optional<Position> lineBegin) {
  const std::string_view line = trimmed(wholeLine);
  const auto problem = [&](std::string message, std::string hint) {
    return LaunchProblem{at, std::move(message), std::move(hint), true};
  };
  if (complaint.find("redefine") != std::string_view::npos ||
      complaint.find("duplicate") != std::string_view::npos)
    return problem("the launch block says `" + std::string(line) + "`, but it already has this key",
                   "");
  if (line.starts_with('['))
    return problem("`" + std::string(line) + "` is not the name of a table",
                   "a table begins with its name in brackets, e.g. `[sizes]`");
  const size_t equals = line.find('=');
  if (equals == std::string_view::npos && isPlainKey(line))
    return problem("`" + std::string(line) + "` has no value",
                   "e.g. `" + std::string(line) + " = 4096`");
  if (equals == std::string_view::npos)
    return problem("`" + std::string(line) + "` does not belong in a launch block",
                   "its lines are `name = value` or `[table]`");
  const std::string name(trimmed(line.substr(0, equals)));
  const std::string value(trimmed(line.substr(equals + 1)));
  if (value.empty())
    return problem("`" + name + "` has no value", "e.g. `" + name + " = 4096`");
  if (const size_t digits = numDigits(value); digits > 0 && isWordFrom(value, digits))
    return problem("`" + value + "` is not a number",
                   "did you mean `" + name + " = " + value.substr(0, digits) + "`?");
  if (auto truth = truthProblem(at, wholeLine, trimmed(line.substr(equals + 1)), lineBegin))
    return *truth;
  if (const auto script =
          scriptProblem(at, wholeLine, name, trimmed(line.substr(equals + 1)), lineBegin))
    return *script;
  if (auto function = name == "grid" ? functionProblem(at, wholeLine,
                                                       trimmed(line.substr(equals + 1)), lineBegin)
                                     : std::nullopt)
    return *function;
  if (value.find_first_of("{[\"'") == std::string::npos)
    return problem("`" + value + "` is neither a number nor a string",
                   "an expression needs quotes: `" + name + " = \"" + value + "\"`");
  if (const std::string_view open = openString(trimmed(line.substr(equals + 1))); !open.empty()) {
    if (const std::string_view begun = closedOnly(wholeLine, open); !begun.empty()) {
      const std::string whole = "\"" + std::string(begun);
      LaunchProblem unopened =
          problem("a string ends at `" + std::string(begun) + "`, but its first quote is missing",
                  "write `" + whole + "`");
      offer(unopened, wholeLine, begun, lineBegin, whole);
      return unopened;
    }
    LaunchProblem unclosed = problem("the string `" + std::string(open) + "` is not closed",
                                     "write `" + std::string(open) + "\"`");
    offer(unclosed, wholeLine, open, lineBegin, std::string(open) + "\"");
    return unclosed;
  }
  if (const char bracket = unpairedBracket(value)) {
    const bool opens = bracket == '[' || bracket == '{';
    return problem("`" + std::string(1, bracket) + "` in the value of `" + name +
                       (opens ? "` is never closed" : "` closes nothing"),
                   "");
  }
  const std::string_view bare = itemWithoutQuotes(trimmed(line.substr(equals + 1)));
  if (!bare.empty() && isKeyOfTable(trimmed(line.substr(equals + 1)), bare))
    return problem("`" + std::string(bare) + "` in the value of `" + name + "` has no value",
                   "the items of a table are `key = value`");
  if (!bare.empty())
    return unquotedProblem(at, wholeLine, bare, lineBegin);
  if (trailingComma(value) != std::string::npos)
    return problem("nothing follows the last comma in the value of `" + name + "`",
                   "leave out the comma before `}`");
  return problem("the value of `" + name + "` cannot be read: `" + value + "`",
                 "check that quotes, brackets and braces are closed, and that commas separate the "
                 "items");
}

} // namespace tilescope::profiler
