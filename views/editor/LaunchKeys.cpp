// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/editor/LaunchKeys.h"

#include <algorithm>
#include <cctype>
#include <span>
#include <vector>

namespace tilescope::views {

using compiler::ast::Completion;
using compiler::ast::CompletionKind;
using compiler::ast::CompletionList;

namespace {
struct Key {
  const char *name;
  const char *detail;
};
} // namespace

static constexpr Key kBlockKeys[] = {{"grid", "one to three extents"},
                                     {"kernel", "the function that is launched"},
                                     {"name", "of this launch"},
                                     {"guessed", "the grid is a guess"}};
static constexpr Key kTensorKeys[] = {{"dtype", "element type"},
                                      {"shape", "extents"},
                                      {"init", "initial data"},
                                      {"expected", "what it should hold after the run"},
                                      {"seed", "of random data"},
                                      {"low", "the least random number"},
                                      {"high", "random numbers are below it"},
                                      {"value", "of `full`, or of a scalar"},
                                      {"scale", "factor of random data"},
                                      {"type", "of a scalar"},
                                      {"guessed", "the shape is a guess"}};
static constexpr Key kOptions[] = {{"num_warps", "warps of a program"},
                                   {"num_stages", "stages of loops"},
                                   {"maxnreg", "registers"}};
static constexpr Key kWork[] = {{"bytes", "moved by the launch"}, {"flops", "computed"}};
static constexpr Key kInits[] = {{"zeros", ""}, {"ones", ""},  {"full", ""},    {"arange", ""},
                                 {"rand", ""},  {"randn", ""}, {"randint", ""}, {"empty", ""}};
static constexpr Key kTypes[] = {{"fp16", ""}, {"bf16", ""},    {"fp32", ""}, {"fp64", ""},
                                 {"i1", ""},   {"i8", ""},      {"i16", ""},  {"i32", ""},
                                 {"i64", ""},  {"u8", ""},      {"u16", ""},  {"u32", ""},
                                 {"u64", ""},  {"fp8e4nv", ""}, {"fp8e5", ""}};

/// The lines of the launch block from its first to that of the cursor; empty outside of one.
static std::vector<std::string_view> linesAbove(std::string_view text, Position cursor) {
  std::vector<std::string_view> lines;
  for (uint32_t line = 0; line <= cursor.line; ++line) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view content = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const bool isClosed = !lines.empty() && (content.starts_with("# ///") || content[0] != '#');
    if (content.starts_with("# /// tilescope"))
      lines = {content};
    else if (isClosed || content.empty())
      lines.clear();
    else if (!lines.empty())
      lines.push_back(content);
  }
  return lines;
}

static std::span<const Key> keysAt(const std::vector<std::string_view> &lines,
                                   std::string_view before) {
  if (before.ends_with("dtype = \"") || before.ends_with("type = \""))
    return kTypes;
  if (before.ends_with("init = \""))
    return kInits;
  if (std::ranges::count(before, '"') % 2 != 0)
    return {};
  if (std::ranges::count(before, '{') > std::ranges::count(before, '}'))
    return kTensorKeys;
  if (before.find_first_not_of("# ") != std::string_view::npos)
    return {};
  const auto table = std::find_if(lines.rbegin(), lines.rend(),
                                  [](std::string_view line) { return line.starts_with("# ["); });
  if (table == lines.rend())
    return kBlockKeys;
  return table->starts_with("# [options]") ? std::span<const Key>(kOptions)
         : table->starts_with("# [work]")  ? std::span<const Key>(kWork)
                                           : std::span<const Key>();
}

CompletionList completeLaunchKeys(std::string_view text, Position cursor) {
  CompletionList list;
  const std::vector<std::string_view> lines = linesAbove(text, cursor);
  if (lines.size() < 2)
    return list;
  const std::string_view line = lines.back();
  const auto isLetter = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  const uint32_t end = std::min(cursor.column, static_cast<uint32_t>(line.size()));
  uint32_t begin = end;
  while (begin > 0 && isLetter(line[begin - 1]))
    --begin;
  const std::string_view typed = line.substr(begin, end - begin);
  list.replaced = {{cursor.line, begin}, cursor, 0};
  for (const Key &key : keysAt(lines, line.substr(0, begin)))
    if (std::string_view(key.name).starts_with(typed) &&
        line.find(std::string(key.name) + " =") == std::string_view::npos)
      list.items.push_back({key.name, CompletionKind::KeywordArgument, key.detail, ""});
  return list;
}

} // namespace tilescope::views
