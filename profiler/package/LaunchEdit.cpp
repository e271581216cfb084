// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/support/TextOffset.h"
#include "profiler/package/LaunchFormat.h"
#include "profiler/package/TomlBlock.h"

#include <algorithm>

namespace tilescope::profiler {

namespace {
/// Replaces the half-open byte range by `text`; an insertion when both ends are equal.
struct TextChange {
  SourceRange range;
  std::string text;
};
} // namespace

static std::string_view lineEnd(std::string_view text) {
  return text.find("\r\n") == std::string_view::npos ? "\n" : "\r\n";
}

static TextChange insertLineAfter(uint32_t line, const std::string &content,
                                  std::string_view ending) {
  Position at{line + 1, 0};
  return {{at, at}, content + std::string(ending)};
}

/// TOML keys that are not bare words need quotes.
static std::string tomlKey(const std::string &key) {
  bool bare = !key.empty() &&
              key.find_first_not_of("abcdefghijklmnopqrstuvwxyz"
                                    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == std::string::npos;
  return bare ? key : tomlString(key);
}

/// What lines a new key up with the others: the blanks before its `=`; empty where those of the
/// table are not lined up.
static std::string paddingFor(const CommentBlock &comment, const toml::table &table,
                              const std::string &key) {
  std::optional<size_t> column;
  for (const TomlChild &child : orderedChildren(table)) {
    const toml::table *sub = child.node->as_table();
    const uint32_t row = child.key->source().begin.line - 1;
    if ((sub && !sub->is_inline()) || row >= comment.prefixes.size())
      continue;
    const size_t begin = comment.lineBegins[row];
    const size_t equals = comment.toml.find('=', begin);
    if (equals == std::string::npos || (column && *column != equals - begin))
      return {};
    column = equals - begin;
  }
  return column && *column > key.size() + 1 ? std::string(*column - key.size() - 1, ' ') : "";
}

/// Adds a key to a table that exists.
static TextChange addKey(const CommentBlock &comment, const toml::table &table, bool isRoot,
                         const std::string &key, const LaunchEdit &edit, std::string_view ending) {
  const std::string name = tomlKey(key);
  const std::string entry = name + " = " + *edit.toml;
  if (table.is_inline() && table.empty()) {
    Position close = fileRange(comment, table.source()).end;
    close.column -= 1;
    return {{close, close}, " " + entry + " "};
  }
  if (table.is_inline()) {
    const Position last = fileRange(comment, orderedChildren(table).back().node->source()).end;
    return {{last, last}, ", " + entry};
  }
  uint32_t line = isRoot ? comment.openLine : fileRange(comment, table.source()).begin.line;
  for (const TomlChild &child : orderedChildren(table)) {
    const toml::table *sub = child.node->as_table();
    if (!sub || sub->is_inline())
      line = std::max(line, fileRange(comment, child.node->source()).end.line);
  }
  return insertLineAfter(
      line, comment.lead + name + paddingFor(comment, table, name) + " = " + *edit.toml, ending);
}

static Result<TextChange> changeFor(const CommentBlock &comment, const toml::table &root,
                                    const LaunchEdit &edit, std::string_view ending) {
  const toml::node *node = &root;
  size_t depth = 0;
  while (depth < edit.path.size()) {
    const toml::table *table = node->as_table();
    const toml::node *child = table ? table->get(edit.path[depth]) : nullptr;
    if (!child)
      break;
    node = child;
    ++depth;
  }
  if (depth == edit.path.size() && depth > 0)
    return TextChange{fileRange(comment, node->source()), *edit.toml};
  const toml::table *table = node->as_table();
  if (table && depth + 1 == edit.path.size())
    return addKey(comment, *table, depth == 0, edit.path[depth], edit, ending);
  if (table && depth == 0 && edit.path.size() == 2)
    return insertLineAfter(comment.closeLine - 1,
                           comment.lead + "[" + tomlKey(edit.path[0]) + "]" + std::string(ending) +
                               comment.lead + tomlKey(edit.path[1]) + " = " + *edit.toml,
                           ending);
  std::string path;
  for (const std::string &part : edit.path)
    path += (path.empty() ? "" : ".") + part;
  return Error{ErrorCode::InvalidInput, "the launch block has no `" + path + "`", ""};
}

static Error cannotEdit(const std::string &why) {
  return {ErrorCode::InvalidInput, "cannot edit the launch block: " + why, ""};
}

static bool isTomlValue(const std::string &text) {
  const std::optional<toml::table> value = parseToml("value = " + text);
  return value && value->size() == 1 && text.find('\n') == std::string::npos;
}

/// Removes a key of an inline table with the comma before it, any other key with its line.
static void removeKey(const CommentBlock &comment, const toml::table &root,
                      const std::vector<std::string> &path, std::string &text) {
  const toml::table *table = &root;
  for (size_t i = 0; table && i + 1 < path.size(); ++i)
    table = table->get_as<toml::table>(path[i]);
  const auto found = table ? table->find(path.back()) : root.end();
  if (!table || found == table->end())
    return;
  const Position keyBegin = fileRange(comment, found->first.source()).begin;
  const Position valueEnd = fileRange(comment, found->second.source()).end;
  if (!table->is_inline()) {
    const size_t line = offsetOf(text, {keyBegin.line, 0});
    text.erase(line, offsetOf(text, {valueEnd.line + 1, 0}) - line);
    return;
  }
  size_t begin = offsetOf(text, keyBegin);
  const size_t end = offsetOf(text, valueEnd);
  while (begin > 0 && text[begin - 1] == ' ')
    --begin;
  if (begin > 0 && text[begin - 1] == ',')
    --begin;
  text.erase(begin, end - begin);
}

Result<std::string> editLaunchBlock(std::string_view fileText, size_t blockIndex,
                                    const std::vector<LaunchEdit> &edits) {
  std::string text(fileText);
  // Every edit moves what follows it, so the block is read again for each; blocks are small.
  for (const LaunchEdit &edit : edits) {
    if (edit.toml && !isTomlValue(*edit.toml))
      return cannotEdit("`" + *edit.toml + "` is not a TOML value");
    std::vector<CommentBlock> blocks;
    for (CommentBlock &block : findCommentBlocks(text))
      if (block.closed && parseToml(block).table)
        blocks.push_back(std::move(block));
    if (blockIndex >= blocks.size())
      return cannotEdit("the file has no readable block number " + std::to_string(blockIndex + 1));
    const ParsedToml parsed = parseToml(blocks[blockIndex]);
    if (!edit.toml) {
      removeKey(blocks[blockIndex], *parsed.table, edit.path, text);
      continue;
    }
    Result<TextChange> change = changeFor(blocks[blockIndex], *parsed.table, edit, lineEnd(text));
    if (!change)
      return change.error();
    size_t begin = offsetOf(text, change->range.begin), end = offsetOf(text, change->range.end);
    text.replace(begin, end - begin, change->text);
  }
  return text;
}

std::string tomlString(std::string_view text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      result += '\\';
    if (c == '\n')
      result += "\\n";
    else if (c == '\t')
      result += "\\t";
    else if (uint8_t(c) >= 0x20)
      result += c;
  }
  return result + "\"";
}

std::string tomlValue(const std::string &text) {
  if (text == "True" || text == "False")
    return text == "True" ? "true" : "false";
  // TOML lets a comment stand behind a number, which would hide what follows here.
  const bool isOne = text.find_first_of("\n#") == std::string::npos;
  const std::optional<toml::table> number = parseToml("v = " + (isOne ? text : ""));
  if (number && number->size() == 1 && (*number)["v"].is_number())
    return text;
  return tomlString(text);
}

std::string tomlList(const std::vector<std::string> &expressions) {
  std::string result = "[";
  for (const std::string &expression : expressions)
    result += (result.size() > 1 ? ", " : "") + tomlValue(expression);
  return result + "]";
}

static std::string tomlList(const std::vector<LaunchExpression> &values) {
  std::vector<std::string> expressions;
  for (const LaunchExpression &value : values)
    expressions.push_back(value.text);
  return tomlList(expressions);
}

std::string argumentValue(const LaunchArgument &arg) {
  if (!arg.isTensor && arg.type.text.empty())
    return tomlValue(arg.value.text);
  if (!arg.isTensor)
    return "{ value = " + tomlValue(arg.value.text) + ", type = " + tomlString(arg.type.text) +
           " }";
  std::string result =
      "{ dtype = " + tomlString(arg.dtype.text) + ", shape = " + tomlList(arg.shape);
  if (!arg.init.text.empty())
    result += ", init = " + tomlString(arg.init.text);
  for (const LaunchEntry &option : arg.initOptions)
    result += ", " + option.name + " = " + tomlValue(option.value.text);
  if (!arg.expected.text.empty())
    result += ", expected = " + tomlValue(arg.expected.text);
  for (const LaunchEntry &tolerance : arg.tolerances)
    result += ", " + tolerance.name + " = " + tomlValue(tolerance.value.text);
  if (arg.isGuess)
    result += ", guessed = true";
  return result + " }";
}

namespace {
/// Writes `# key = value` lines under a table's heading, the equal signs in one column.
struct TableWriter {
  /// What begins each line.
  std::string lead;
  std::string text;

  void table(const std::string &title,
             const std::vector<std::pair<std::string, std::string>> &rows) {
    if (rows.empty())
      return;
    if (!title.empty())
      text += lead + "[" + title + "]\n";
    size_t width = 0;
    for (const auto &row : rows)
      width = std::max(width, row.first.size());
    for (const auto &[key, value] : rows)
      text += lead + key + std::string(width - key.size(), ' ') + " = " + value + "\n";
  }
  void entries(const std::string &title, const std::vector<LaunchEntry> &values) {
    std::vector<std::pair<std::string, std::string>> rows;
    for (const LaunchEntry &entry : values)
      rows.emplace_back(tomlKey(entry.name), tomlValue(entry.value.text));
    table(title, rows);
  }
};
} // namespace

std::string formatLaunchBlock(const LaunchBlock &block, std::string_view mark) {
  TableWriter writer{std::string(mark) + " ", ""};
  writer.text = writer.lead + "/// tilescope\n";
  if (!block.kernel.empty())
    writer.text += writer.lead + "kernel = " + tomlString(block.kernel) + "\n";
  if (!block.name.empty())
    writer.text += writer.lead + "name = " + tomlString(block.name) + "\n";
  if (!block.grid.empty())
    writer.text += writer.lead + "grid = " + tomlList(block.grid) + "\n";
  if (block.isGridGuess)
    writer.text += writer.lead + "guessed = true\n";
  writer.entries("sizes", block.sizes);
  std::vector<std::pair<std::string, std::string>> args;
  for (const LaunchArgument &arg : block.args)
    args.emplace_back(tomlKey(arg.name), argumentValue(arg));
  writer.table("args", args);
  writer.entries("constexprs", block.constexprs);
  writer.entries("options", block.options);
  std::vector<std::pair<std::string, std::string>> work;
  if (block.bytes)
    work.emplace_back("bytes", tomlValue(block.bytes->text));
  if (block.flops)
    work.emplace_back("flops", tomlValue(block.flops->text));
  writer.table("work", work);
  std::vector<std::pair<std::string, std::string>> sweep;
  for (const LaunchSweep &each : block.sweep)
    sweep.emplace_back(tomlKey(each.name), tomlList(each.values));
  writer.table("sweep", sweep);
  return writer.text + writer.lead + "///\n";
}

} // namespace tilescope::profiler
