// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/syntax/CompletionRanking.h"

#include <algorithm>
#include <set>
#include <string>
#include <tuple>

namespace tilescope::compiler::ast {

static char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

static bool containsLetters(std::string_view name, std::string_view typed) {
  size_t at = 0;
  for (const char wanted : typed) {
    while (at < name.size() && lower(name[at]) != lower(wanted))
      ++at;
    if (at++ >= name.size())
      return false;
  }
  return true;
}

MatchQuality matchQuality(std::string_view name, std::string_view typed) {
  if (name.starts_with(typed))
    return MatchQuality::Prefix;
  const bool isPrefix =
      name.size() > typed.size() && std::equal(typed.begin(), typed.end(), name.begin(),
                                               [](char a, char b) { return lower(a) == lower(b); });
  if (isPrefix || (name.size() == typed.size() && containsLetters(name, typed)))
    return MatchQuality::PrefixInAnyCase;
  for (size_t start = 0; start < name.size(); ++start) {
    const bool startsWord = start == 0 || (name[start - 1] == '_' && name[start] != '_');
    if (startsWord && lower(name[start]) == lower(typed[0]) &&
        containsLetters(name.substr(start), typed))
      return MatchQuality::Letters;
  }
  return MatchQuality::None;
}

static int groupOf(CompletionKind kind) {
  switch (kind) {
  case CompletionKind::KeywordArgument:
    return 0;
  case CompletionKind::Variable:
  case CompletionKind::Parameter:
  case CompletionKind::Constexpr:
    return 1;
  case CompletionKind::Keyword:
    return 3;
  default:
    return 2;
  }
}

/// How many members of the language are used more often than this one, as far as that matters.
static size_t commonness(std::string_view name) {
  static constexpr std::string_view kCommon[] = {
      "load",    "store",       "program_id", "arange",       "constexpr",     "to",
      "float32", "where",       "cdiv",       "sum",          "zeros",         "dot",
      "exp",     "float16",     "int64",      "max",          "full",          "bfloat16",
      "minimum", "maximum",     "int32",      "log",          "sqrt",          "trans",
      "rsqrt",   "dtype",       "shape",      "sigmoid",      "abs",           "cumsum",
      "range",   "min",         "reshape",    "num_programs", "static_assert", "make_block_ptr",
      "advance", "device_print"};
  return static_cast<size_t>(std::ranges::find(kCommon, name) - std::begin(kCommon));
}

void rankCompletions(std::vector<Completion> &items, std::string_view typed, bool wantsType) {
  std::set<std::string, std::less<>> seen;
  std::erase_if(items, [&](const Completion &item) {
    return matchQuality(item.text, typed) == MatchQuality::None || !seen.insert(item.text).second;
  });
  auto key = [&](const Completion &item) {
    const MatchQuality quality = matchQuality(item.text, typed);
    // Without a letter, length says nothing.
    const size_t length = typed.empty() ? 0 : item.text.size();
    // A single letter in the other case is a name of the file, or the beginning of another one.
    const bool isWhole = item.text.size() == typed.size() && quality != MatchQuality::Letters &&
                         (typed.size() > 1 || groupOf(item.kind) < 2);
    const bool isOfLanguage = groupOf(item.kind) == 2;
    return std::tuple(item.text != typed, !isWhole, quality == MatchQuality::Letters,
                      wantsType && item.kind != CompletionKind::Type, groupOf(item.kind),
                      quality != MatchQuality::Prefix, isOfLanguage ? commonness(item.text) : 0,
                      length, std::string_view(item.text));
  };
  std::sort(items.begin(), items.end(),
            [&](const Completion &a, const Completion &b) { return key(a) < key(b); });
}

} // namespace tilescope::compiler::ast
