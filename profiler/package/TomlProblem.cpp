// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/package/TomlProblem.h"

#include <cctype>

namespace tilescope::profiler {

static std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos)
    return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

/// The first word of a value that is text without quotes: `int8` of `{ dtype = int8, shape = ["n"]
/// }`.
static std::string bareWord(std::string_view value) {
  bool isQuoted = false;
  for (size_t at = 0; at < value.size(); ++at) {
    if (value[at] == '"' || value[at] == '\'')
      isQuoted = !isQuoted;
    const bool isStart = std::isalpha(static_cast<unsigned char>(value[at])) || value[at] == '_';
    if (isQuoted || !isStart)
      continue;
    size_t end = at;
    while (end < value.size() &&
           (std::isalnum(static_cast<unsigned char>(value[end])) || value[end] == '_'))
      ++end;
    const std::string_view word = value.substr(at, end - at);
    const bool isKey = trimmed(value.substr(end)).starts_with('=');
    const bool isNumber = at > 0 && std::isdigit(static_cast<unsigned char>(value[at - 1]));
    if (!isKey && !isNumber && word != "true" && word != "false" && word != "inf" && word != "nan")
      return std::string(word);
    at = end - 1;
  }
  return {};
}

LaunchProblem tomlProblem(const SourceRange &at, std::string_view line,
                          std::string_view complaint) {
  line = trimmed(line);
  const auto problem = [&](std::string message, std::string hint) {
    return LaunchProblem{at, std::move(message), std::move(hint), true};
  };
  if (complaint.find("redefine") != std::string_view::npos ||
      complaint.find("duplicate") != std::string_view::npos)
    return problem("the launch block says `" + std::string(line) + "`, but it has this key already",
                   "");
  if (line.starts_with('['))
    return problem("`" + std::string(line) + "` is not the name of a table",
                   "a table begins with its name in brackets, e.g. `[sizes]`");
  const size_t equals = line.find('=');
  if (equals == std::string_view::npos)
    return problem("`" + std::string(line) + "` does not belong in a launch block",
                   "its lines say `name = value` or `[table]`");
  const std::string name(trimmed(line.substr(0, equals)));
  const std::string value(trimmed(line.substr(equals + 1)));
  if (value.empty())
    return problem("`" + name + "` has no value", "e.g. `" + name + " = 4096`");
  if (value.find_first_of("{[\"'") == std::string::npos)
    return problem("`" + value + "` is neither a number nor a string",
                   "an expression stands in quotes: `" + name + " = \"" + value + "\"`");
  if (const std::string word = bareWord(value); !word.empty())
    return problem("`" + word + "` in the value of `" + name + "` stands without quotes",
                   "a string stands in quotes: `\"" + word + "\"`");
  return problem("the value of `" + name + "` cannot be read: `" + value + "`",
                 "check that quotes, brackets and braces are closed, and that commas stand between "
                 "the items");
}

} // namespace tilescope::profiler
