// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/editor/LaunchKeys.h"

#include "profiler/data/Dtype.h"

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
  std::string_view name;
  std::string_view detail;
};
} // namespace

static constexpr Key kBlockKeys[] = {{"grid", "one to three extents"},
                                     {"kernel", "the function that is launched"},
                                     {"name", "name of this launch"},
                                     {"guessed", "the grid is a guess"}};
static constexpr Key kTensorKeys[] = {{"dtype", "element type"},
                                      {"shape", "extents"},
                                      {"init", "initial data"},
                                      {"expected", "what it should hold after the run"},
                                      {"rtol", "passes within atol + rtol * |expected|"},
                                      {"atol", "passes within atol + rtol * |expected|"},
                                      {"seed", "seed of random data"},
                                      {"low", "the smallest number of random data and offsets"},
                                      {"high", "random numbers are below it; the last offset"},
                                      {"value", "value of `full`, or of a scalar"},
                                      {"scale", "factor of random data"},
                                      {"type", "type of a scalar"},
                                      {"guessed", "the shape is a guess"}};
static constexpr Key kOptions[] = {{"num_warps", "warps per program"},
                                   {"num_stages", "iterations of a loop under way at once"},
                                   {"maxnreg", "most registers per thread"}};
static constexpr Key kWork[] = {{"bytes", "bytes that the launch moves"},
                                {"flops", "operations that the launch computes"}};
static constexpr Key kInits[] = {{"zeros", ""},   {"ones", ""},    {"full", ""},
                                 {"arange", ""},  {"rand", ""},    {"randn", ""},
                                 {"randint", ""}, {"offsets", ""}, {"empty", ""}};
static constexpr Key kExpectations[] = {{"sum", "over an axis: sum(x, axis=1)"},
                                        {"mean", "over an axis"},
                                        {"max", "over an axis; of two values: max(x, 0)"},
                                        {"min", "over an axis; of two values: min(x, 0)"},
                                        {"argmax", "index of the largest along an axis"},
                                        {"argmin", "index of the smallest along an axis"},
                                        {"prod", "over an axis"},
                                        {"where", "where(condition, a, b)"},
                                        {"maximum", "of two values"},
                                        {"minimum", "of two values"},
                                        {"abs", ""},
                                        {"exp", ""},
                                        {"sqrt", ""}};
static constexpr Key kTables[] = {{"sizes", "free names"},
                                  {"args", "run-time arguments"},
                                  {"constexprs", "compile-time arguments"},
                                  {"options", "num_warps and the like"},
                                  {"work", "bytes and flops of the launch"}};
/// What `dtype` and `type` take.
static const std::vector<Key> &elementTypes() {
  static const std::vector<Key> kTypes = [] {
    std::vector<Key> keys;
    for (const compiler::ScalarInfo &type : profiler::allDtypes())
      keys.push_back({type.signatureName, type.languageName});
    return keys;
  }();
  return kTypes;
}

/// The lines of the launch block from its first to that of the cursor; empty outside of one.
static std::vector<std::string_view> linesAbove(std::string_view text, Position cursor) {
  std::vector<std::string_view> lines;
  for (uint32_t line = 0; line <= cursor.line; ++line) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view content = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const bool isClosed =
        !lines.empty() && (content.starts_with("# ///") || content.empty() || content[0] != '#');
    if (content.starts_with("# /// tilescope"))
      lines = {content};
    else if (isClosed || content.empty())
      lines.clear();
    else if (!lines.empty())
      lines.push_back(content);
  }
  return lines;
}

bool continuesLaunchBlock(std::string_view text, Position cursor) {
  return !linesAbove(text, cursor).empty();
}

/// Whether a line up to the cursor ends within the text of `expected`.
static bool isInExpectation(std::string_view before) {
  constexpr std::string_view kOpening = "expected = \"";
  const size_t at = before.rfind(kOpening);
  return at != std::string_view::npos && before.find('"', at + kOpening.size()) == before.npos;
}

static std::span<const Key> keysAt(const std::vector<std::string_view> &lines,
                                   std::string_view before) {
  if (before.ends_with("dtype = \"") || before.ends_with("type = \""))
    return elementTypes();
  if (before.ends_with("init = \""))
    return kInits;
  if (isInExpectation(before))
    return kExpectations;
  if (std::ranges::count(before, '"') % 2 != 0)
    return {};
  if (std::ranges::count(before, '{') > std::ranges::count(before, '}'))
    return kTensorKeys;
  if (before == "# [")
    return kTables;
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

/// The names that the block around the cursor defines.
static std::vector<std::string> namesOfBlock(std::string_view text, Position cursor) {
  std::vector<std::string> names;
  // Up to the last line of the block, from where all of it is above.
  Position last = cursor;
  while (linesAbove(text, {last.line + 1, 0}).size() > linesAbove(text, last).size())
    ++last.line;
  bool isTableOfNames = false;
  for (std::string_view line : linesAbove(text, last)) {
    line.remove_prefix(std::min<size_t>(2, line.size()));
    if (line.starts_with("["))
      isTableOfNames = line == "[sizes]" || line == "[args]" || line == "[constexprs]";
    else if (isTableOfNames && line.find('=') != line.npos)
      names.emplace_back(line.substr(0, line.find_first_of(" =")));
  }
  return names;
}

static bool isNamePart(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

CompletionList completeLaunchKeys(std::string_view text, Position cursor) {
  CompletionList list;
  const std::vector<std::string_view> lines = linesAbove(text, cursor);
  if (lines.size() < 2)
    return list;
  const std::string_view line = lines.back();
  const uint32_t end = std::min(cursor.column, static_cast<uint32_t>(line.size()));
  uint32_t begin = end;
  while (begin > 0 && isNamePart(line[begin - 1]))
    --begin;
  const std::string_view typed = line.substr(begin, end - begin);
  list.replaced = {{cursor.line, begin}, cursor, 0};
  const std::string_view before = line.substr(0, begin);
  if (isInExpectation(before))
    for (std::string &name : namesOfBlock(text, cursor))
      if (name.starts_with(typed))
        list.items.push_back({std::move(name), CompletionKind::Variable, "", ""});
  for (const Key &key : keysAt(lines, before))
    if (key.name.starts_with(typed) &&
        line.find(std::string(key.name) + " =") == std::string_view::npos)
      list.items.push_back(
          {std::string(key.name), CompletionKind::KeywordArgument, std::string(key.detail), ""});
  return list;
}

std::string explainLaunchKey(std::string_view text, Position at) {
  const std::vector<std::string_view> lines = linesAbove(text, at);
  if (lines.size() < 2 || at.column > lines.back().size())
    return {};
  const std::string_view line = lines.back();
  size_t begin = at.column, end = at.column;
  while (begin > 0 && isNamePart(line[begin - 1]))
    --begin;
  while (end < line.size() && isNamePart(line[end]))
    ++end;
  const std::string_view word = line.substr(begin, end - begin);
  if (!line.substr(end).starts_with(" ="))
    return {};
  if (word == "expected")
    return "What the tensor should hold after the run, which checks it: an expression over the "
           "arguments, such as `x_ptr + y_ptr` or `sum(x_ptr, axis=1)`, or a `.npy` file. "
           "Ctrl+Space "
           "in the text lists what is known there.";
  for (const Key &key : keysAt(lines, line.substr(0, begin)))
    if (key.name == word)
      return "`" + std::string(word) + "`: " + std::string(key.detail);
  return {};
}

} // namespace tilescope::views
