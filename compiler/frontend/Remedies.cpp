// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/Remedies.h"

#include "compiler/frontend/Builtins.h"
#include "compiler/frontend/Objects.h"
#include "compiler/frontend/Specialization.h"

#include <algorithm>
#include <optional>

namespace tilescope::compiler::frontend {

std::string_view sourceText(const Frame &frame, SourceRange range) {
  const SourceModule *module = frame.module;
  const bool isDocument =
      module && module->tree && !module->isPrelude && module->file == 0 && range.file == 0;
  return isDocument ? module->tree->text(range) : std::string_view();
}

/// Takes `word` and the blanks around it off the beginning of `text`.
static bool take(std::string_view &text, std::string_view word) {
  const auto skipBlanks = [&] {
    while (text.starts_with(' '))
      text.remove_prefix(1);
  };
  skipBlanks();
  if (!text.starts_with(word))
    return false;
  text.remove_prefix(word.size());
  skipBlanks();
  return true;
}

std::optional<SourceRange> launchBlockKey(const ast::SyntaxTree &tree, std::string_view name) {
  std::optional<SourceRange> found;
  for (const SourceRange &comment : tree.comments) {
    const std::string_view whole = tree.text(comment);
    std::string_view text = whole;
    if (!take(text, "#"))
      continue;
    const auto column = static_cast<uint32_t>(whole.size() - text.size());
    if (!take(text, name) || !take(text, "="))
      continue;
    if (found)
      return std::nullopt;
    found = comment;
    found->begin.column += column;
    found->end = found->begin;
    found->end.column += static_cast<uint32_t>(name.size());
  }
  return found;
}

std::optional<SourceRange> launchBlockValue(const ast::SyntaxTree &tree, std::string_view name) {
  const std::optional<SourceRange> key = launchBlockKey(tree, name);
  const auto comment = std::ranges::find_if(
      tree.comments, [&](const SourceRange &each) { return key && each.contains(key->begin); });
  if (comment == tree.comments.end())
    return std::nullopt;
  const std::string_view whole = tree.text(*comment);
  const size_t equals = whole.find('=');
  const size_t begin = whole.find_first_not_of(' ', equals + 1);
  if (begin == whole.npos || whole[begin] == '{')
    return std::nullopt;
  SourceRange value = *comment;
  value.begin.column += static_cast<uint32_t>(begin);
  value.end = value.begin;
  value.end.column += static_cast<uint32_t>(whole.find_last_not_of(" \r") + 1 - begin);
  return value;
}

/// The number in the only comment `# NAME = NUMBER` of a file: a line of its launch block.
static std::optional<SourceRange>
numberInLaunchBlock(const ast::SyntaxTree &tree, std::string_view name, const std::string &number) {
  std::optional<SourceRange> found;
  for (const SourceRange &comment : tree.comments) {
    std::string_view text = tree.text(comment);
    if (!take(text, "#") || !take(text, name) || !take(text, "=") || text != number)
      continue;
    if (found)
      return std::nullopt;
    found = comment;
    found->begin.column = found->end.column - static_cast<uint32_t>(number.size());
  }
  return found;
}

std::vector<DiagnosticFix> numberFixes(const Frame &frame, SourceRange range, int64_t found,
                                       int64_t wanted) {
  const std::string number = std::to_string(found), better = std::to_string(wanted);
  const std::string_view text = sourceText(frame, range);
  if (text.empty())
    return {};
  std::optional<SourceRange> place;
  if (text == number)
    place = range;
  else
    place = numberInLaunchBlock(*frame.module->tree, text, number);
  if (!place)
    return {};
  return {{*place, better,
           place->begin == range.begin ? "write `" + better + "`"
                                       : "write `" + std::string(text) + " = " + better + "`"}};
}

/// Code without comments and texts in one line; nothing where a line ends outside of brackets.
static std::optional<std::string> inOneLine(std::string_view code) {
  std::string line;
  int depth = 0;
  for (size_t i = 0; i < code.size(); ++i) {
    depth += code[i] == '(' || code[i] == '[' || code[i] == '{';
    depth -= code[i] == ')' || code[i] == ']' || code[i] == '}';
    if (code[i] != '\n') {
      line += code[i];
      continue;
    }
    if (depth <= 0)
      return std::nullopt;
    line.erase(line.find_last_not_of(" \t\r") + 1);
    i = std::min(code.find_first_not_of(" \t\r\n", i), code.size()) - 1;
    const bool isAtBracket = line.ends_with('(') || line.ends_with('[') ||
                             code.substr(i + 1).starts_with(')') ||
                             code.substr(i + 1).starts_with(']');
    if (!isAtBracket)
      line += ' ';
  }
  return line;
}

std::vector<DiagnosticFix> rewriteFix(const Frame &frame, SourceRange first, SourceRange last,
                                      std::string replacement) {
  SourceRange range{first.begin, last.end, first.file};
  const std::string_view text = sourceText(frame, range);
  if (text.empty() || last.file != first.file || text.find_first_of("#\"'") != text.npos)
    return {};
  if (text.find('\n') != text.npos) {
    const std::optional<std::string> line = inOneLine(replacement);
    if (!line || !inOneLine(text))
      return {};
    replacement = *line;
  }
  std::string title = "write `" + replacement + "`";
  return {{range, std::move(replacement), std::move(title)}};
}

bool hasLanguageName(const Frame &frame) {
  for (const SourceModule *module = frame.module; module; module = module->outer)
    if (module->bindings.contains("tl"))
      return true;
  return false;
}

/// The names of parameters, without defaults: `input, axis`.
static std::string neededParameters(const std::vector<Parameter> &parameters) {
  std::string text;
  for (const Parameter &parameter : parameters)
    if (!parameter.defaultValue && !parameter.isVariadic)
      text += (text.empty() ? "" : ", ") + parameter.name;
  return text;
}

std::string callAdvice(const Value &value) {
  const constant::Value *constant = value.constant();
  std::string name, parameters;
  if (const auto *object = constant ? constant->as<BuiltinObject>() : nullptr) {
    std::string_view member = object->builtin.name;
    const bool isPython = member.starts_with("builtins.");
    member.remove_prefix(isPython ? std::string_view("builtins.").size() : 0);
    name = (isPython ? "" : "tl.") + std::string(member);
    // In a grid of one dimension, there is no other axis.
    const bool isOfGrid = member == "program_id" || member == "num_programs";
    parameters = isOfGrid ? "0" : neededParameters(parametersOf(object->builtin));
  } else if (const auto *function = constant ? constant->as<FunctionObject>() : nullptr) {
    name = (function->module.isPrelude ? "tl." : "") + std::string(function->definition.name);
    const ast::Arguments &declared = *function->definition.args;
    const std::vector<const ast::Arg *> all = frontend::parametersOf(function->definition);
    for (size_t i = 0; i + declared.defaults.size() + declared.kwonlyargs.size() < all.size(); ++i)
      parameters += (i ? ", " : "") + std::string(all[i]->arg);
  }
  if (name.empty())
    return {};
  return "`" + name + "` is a function; call it: `" + name + "(" + parameters + ")`";
}

} // namespace tilescope::compiler::frontend
