// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/package/LaunchBlock.h"

#include "compiler/support/NearestName.h"
#include "profiler/data/OutputFolder.h"
#include "profiler/package/BlockFrame.h"
#include "profiler/package/PythonForms.h"
#include "profiler/package/TomlBlock.h"

#include <algorithm>
#include <optional>
#include <set>

namespace tilescope::profiler {

namespace {
/// Reads one block's TOML into a `LaunchBlock`, noting what does not fit.
struct BlockReader {
  const CommentBlock &comment;
  std::vector<std::string_view> tomlLines;
  LaunchBlock block;
  std::vector<LaunchProblem> &problems;

  SourceRange range(const toml::source_region &region) const { return fileRange(comment, region); }
  void problem(SourceRange at, std::string message, std::string hint = "") {
    problems.push_back({at, std::move(message), std::move(hint), true});
  }
  std::string raw(const SourceRange &at) const;

  LaunchExpression expression(const toml::node &node);
  LaunchExpression word(const toml::node &node, std::string_view what);
  std::vector<LaunchExpression> list(const toml::node &node);
  /// As a list, of whose items none is a tuple.
  std::vector<LaunchExpression> extents(const toml::node &node);
  std::vector<LaunchEntry> entries(const toml::node &node, std::string_view what);
  LaunchArgument argument(const TomlChild &child);
  /// `key`: as what it is read.
  void tensorField(LaunchArgument &argument, const TomlChild &child, std::string_view key);
  void scalarField(LaunchArgument &argument, const TomlChild &child);
  /// `key`: as what it is read.
  void topLevel(const TomlChild &child, std::string_view key);
  const toml::table *table(const toml::node &node, std::string_view what);
  std::string unknownKey(const toml::key &key, std::string_view known);
  void readArgs(const toml::node &node);
  void readWork(const toml::node &node);
  void readSweep(const toml::node &node);
  void readLaunch(const toml::node &node);
  void checkNames();
};
} // namespace

/// The characters at a range of one line; empty for more lines.
std::string BlockReader::raw(const SourceRange &at) const {
  if (at.begin.line != at.end.line)
    return "";
  uint32_t row = at.begin.line - comment.openLine - 1;
  if (row >= comment.prefixes.size())
    return "";
  uint32_t prefix = comment.prefixes[row];
  return std::string(
      tomlLines[row].substr(at.begin.column - prefix, at.end.column - at.begin.column));
}

LaunchExpression BlockReader::expression(const toml::node &node) {
  LaunchExpression result;
  result.range = range(node.source());
  std::string source = raw(result.range);
  if (auto text = node.value_exact<std::string>()) {
    result.text = *text;
    if (source.size() == text->size() + 2 && source.substr(1, text->size()) == *text)
      result.textBegin = Position{result.range.begin.line, result.range.begin.column + 1};
    return result;
  }
  if (auto flag = node.value_exact<bool>()) {
    result.text = *flag ? "True" : "False";
    return result;
  }
  if (auto number = node.value_exact<int64_t>())
    result.text = std::to_string(*number);
  else if (auto real = node.value_exact<double>())
    result.text =
        source.find_first_of("in") == std::string::npos ? source : "float(\"" + source + "\")";
  else
    problem(result.range, "expected a number, `true`, `false`, or a string with an expression");
  if (source == result.text)
    result.textBegin = result.range.begin;
  return result;
}

LaunchExpression BlockReader::word(const toml::node &node, std::string_view what) {
  if (!node.is_string())
    problem(range(node.source()), "expected a string with " + std::string(what));
  return expression(node);
}

std::vector<LaunchExpression> BlockReader::list(const toml::node &node) {
  std::vector<LaunchExpression> result;
  if (const toml::array *array = node.as_array()) {
    for (const toml::node &each : *array)
      result.push_back(expression(each));
  } else {
    result.push_back(expression(node));
  }
  return result;
}

std::vector<LaunchExpression> BlockReader::extents(const toml::node &node) {
  std::vector<LaunchExpression> result;
  for (LaunchExpression &each : list(node)) {
    const std::vector<std::string_view> items = sequenceItems(each.text);
    if (items.empty()) {
      result.push_back(std::move(each));
      continue;
    }
    const std::string meant = tomlItems(items);
    problem(each.range, "extents are the items of a list, found `" + each.text + "`",
            "write `[" + meant + "]`");
    problems.back().replacement = node.is_array() ? meant : "[" + meant + "]";
    for (const std::string_view item : items)
      result.push_back({std::string(item), each.range, std::nullopt});
  }
  return result;
}

const toml::table *BlockReader::table(const toml::node &node, std::string_view what) {
  const toml::table *result = node.as_table();
  if (!result)
    problem(range(node.source()), "`" + std::string(what) + "` must be a table");
  return result;
}

std::vector<LaunchEntry> BlockReader::entries(const toml::node &node, std::string_view what) {
  std::vector<LaunchEntry> result;
  if (const toml::table *values = table(node, what))
    for (const TomlChild &child : orderedChildren(*values))
      result.push_back(
          {std::string(child.key->str()), range(child.key->source()), expression(*child.node)});
  return result;
}

/// Returns the key that was meant, as which its value can be read; empty: it cannot be told.
std::string BlockReader::unknownKey(const toml::key &key, std::string_view known) {
  problem(range(key.source()), "unknown key `" + std::string(key.str()) + "`",
          "keys here are " + std::string(known));
  std::string meant(closestInList(key.str(), known));
  if (!meant.empty()) {
    problems.back().hint = "did you mean `" + meant + "`? " + problems.back().hint;
    problems.back().replacement = meant;
  }
  return meant;
}

static constexpr std::string_view kTensorKeys =
    "dtype, shape, init, seed, value, low, high, scale, expected, rtol, atol, guessed";
static constexpr std::string_view kScalarKeys = "value, type";

/// Whether only a tensor has such a key, which may be misspelled.
static bool isTensorKey(std::string_view key) {
  const auto isIn = [](std::string_view list, std::string_view name) {
    return (", " + std::string(list) + ",").find(", " + std::string(name) + ",") !=
           std::string::npos;
  };
  const std::string all = std::string(kTensorKeys) + ", " + std::string(kScalarKeys);
  const std::string_view meant = isIn(all, key) ? key : closestInList(key, all);
  return !meant.empty() && !isIn(kScalarKeys, meant);
}

void BlockReader::tensorField(LaunchArgument &argument, const TomlChild &child,
                              std::string_view key) {
  if (key == "dtype")
    argument.dtype = word(*child.node, "an element type, e.g. `fp32`");
  else if (key == "shape")
    argument.shape = extents(*child.node);
  else if (key == "init")
    argument.init = word(*child.node, "the kind of initial data, e.g. `randn`");
  else if (key == "seed" || key == "value" || key == "low" || key == "high" || key == "scale")
    argument.initOptions.push_back(
        {std::string(key), range(child.key->source()), expression(*child.node)});
  else if (key == "expected")
    argument.expected = expression(*child.node);
  else if (key == "rtol" || key == "atol")
    argument.tolerances.push_back(
        {std::string(key), range(child.key->source()), expression(*child.node)});
  else if (key == "guessed" && child.node->is_boolean())
    argument.isGuess = child.node->value_or(false);
  else if (key == "guessed")
    problem(range(child.node->source()), "`guessed` is `true` or `false`");
  else if (const std::string meant = unknownKey(*child.key, kTensorKeys); !meant.empty())
    tensorField(argument, child, meant);
}

void BlockReader::scalarField(LaunchArgument &argument, const TomlChild &child) {
  std::string_view key = child.key->str();
  if (key == "value")
    argument.value = expression(*child.node);
  else if (key == "type")
    argument.type = word(*child.node, "a scalar type, e.g. `fp64`");
  else
    unknownKey(*child.key, kScalarKeys);
}

LaunchArgument BlockReader::argument(const TomlChild &child) {
  LaunchArgument result;
  result.name = child.key->str();
  result.nameRange = range(child.key->source());
  if (Status status = checkFileName("argument", result.name); !status)
    problem(result.nameRange, status.error().message, status.error().hint);
  const toml::table *fields = child.node->as_table();
  if (!fields) {
    result.value = expression(*child.node);
    return result;
  }
  result.isTensor = std::ranges::any_of(
      *fields, [](const auto &field) { return isTensorKey(std::string(field.first.str())); });
  for (const TomlChild &field : orderedChildren(*fields)) {
    if (result.isTensor)
      tensorField(result, field, field.key->str());
    else
      scalarField(result, field);
  }
  if (result.isTensor && !fields->contains("dtype") && result.dtype.text.empty())
    problem(result.nameRange, "tensor `" + result.name + "` has no `dtype`");
  if (result.isTensor && !fields->contains("shape") && result.shape.empty())
    problem(result.nameRange, "tensor `" + result.name + "` has no `shape`",
            fields->contains("value") && !fields->contains("init")
                ? "a number is written `" + result.name + " = 0.5`, or `" + result.name +
                      " = { value = 0.5, type = \"fp32\" }`"
                : "");
  if (!result.isTensor && !fields->contains("value"))
    problem(result.nameRange, "argument `" + result.name + "` has neither `dtype` nor `value`",
            "a tensor has `dtype` and `shape`, a scalar has `value`");
  return result;
}

void BlockReader::readArgs(const toml::node &node) {
  if (const toml::table *args = table(node, "args"))
    for (const TomlChild &child : orderedChildren(*args))
      block.args.push_back(argument(child));
}

void BlockReader::readWork(const toml::node &node) {
  const toml::table *work = table(node, "work");
  if (!work)
    return;
  for (const TomlChild &child : orderedChildren(*work)) {
    if (child.key->str() == "bytes")
      block.bytes = expression(*child.node);
    else if (child.key->str() == "flops")
      block.flops = expression(*child.node);
    else
      unknownKey(*child.key, "bytes, flops");
  }
}

void BlockReader::readSweep(const toml::node &node) {
  if (const toml::table *sweep = table(node, "sweep"))
    for (const TomlChild &child : orderedChildren(*sweep))
      block.sweep.push_back(
          {std::string(child.key->str()), range(child.key->source()), list(*child.node)});
}

void BlockReader::readLaunch(const toml::node &node) {
  const toml::table *launch = table(node, "launch");
  if (!launch)
    return;
  for (const TomlChild &child : orderedChildren(*launch)) {
    if (child.key->str() == "name")
      block.name = word(*child.node, "the launch's name").text;
    else
      unknownKey(*child.key, "name");
  }
}

static constexpr std::string_view kTopLevelKeys =
    "kernel, name, grid, guessed, sizes, args, constexprs, options, work, sweep, launch";

void BlockReader::topLevel(const TomlChild &child, std::string_view key) {
  const toml::node &node = *child.node;
  if (key == "kernel") {
    LaunchExpression kernel = word(node, "the kernel's name");
    block.kernel = kernel.text;
    block.kernelRange = kernel.range;
  } else if (key == "name") {
    block.name = word(node, "the launch's name").text;
  } else if (key == "launch") {
    readLaunch(node);
  } else if (key == "grid") {
    block.grid = extents(node);
    if (block.grid.empty() || block.grid.size() > 3)
      problem(range(node.source()), "`grid` must have one to three extents");
  } else if (key == "guessed" && node.is_boolean()) {
    block.isGridGuess = node.value_or(false);
  } else if (key == "guessed") {
    problem(range(node.source()), "`guessed` is `true` or `false`");
  } else if (key == "sizes") {
    block.sizes = entries(node, key);
  } else if (key == "args") {
    readArgs(node);
  } else if (key == "constexprs") {
    block.constexprs = entries(node, key);
  } else if (key == "options") {
    block.options = entries(node, key);
  } else if (key == "work") {
    readWork(node);
  } else if (key == "sweep") {
    readSweep(node);
  } else {
    // What it defines is not reported as missing on top of that.
    const std::string meant = unknownKey(*child.key, kTopLevelKeys);
    if (!meant.empty())
      topLevel(child, meant);
  }
}

static void addNames(const std::vector<LaunchEntry> &entries, std::set<std::string> &names) {
  for (const LaunchEntry &entry : entries)
    names.insert(entry.name);
}

void BlockReader::checkNames() {
  std::set<std::string> names;
  addNames(block.constexprs, names);
  for (const LaunchArgument &arg : block.args)
    if (names.contains(arg.name))
      problem(arg.nameRange, "`" + arg.name + "` is listed under `args` and under `constexprs`");
}

LaunchBlocks parseLaunchBlocks(std::string_view fileText) {
  LaunchBlocks result;
  result.problems = misspelledHeaders(fileText);
  std::vector<std::string_view> fileLines = linesOfFile(fileText);
  for (const CommentBlock &comment : findCommentBlocks(fileText)) {
    auto lineRange = [&](uint32_t line) {
      uint32_t end = line < fileLines.size() ? uint32_t(fileLines[line].size()) : 0;
      return SourceRange{{line, 0}, {line, end}};
    };
    if (const std::optional<uint32_t> line = breakInside(comment, fileLines)) {
      result.problems.push_back(brokenBlock(comment, fileLines[*line], lineRange(*line)));
      continue;
    }
    if (!comment.closed) {
      result.problems.push_back({lineRange(comment.openLine), "this launch block is not closed",
                                 "end it with a line `# ///`; its lines begin with `# `", true});
      continue;
    }
    ParsedToml parsed = parseToml(comment);
    if (!parsed.table) {
      result.problems.push_back(std::move(parsed.problem));
      continue;
    }
    BlockReader reader{comment, linesOfFile(comment.toml), {}, result.problems};
    reader.block.range = {{comment.openLine, 0}, lineRange(comment.closeLine).end};
    for (const TomlChild &child : orderedChildren(*parsed.table))
      reader.topLevel(child, child.key->str());
    reader.checkNames();
    result.blocks.push_back(std::move(reader.block));
  }
  return result;
}

} // namespace tilescope::profiler
