// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/launch/ComposedFunctions.h"

#include "app/launch/ArrayJoins.h"
#include "app/launch/RewriteParts.h"
#include "compiler/syntax/FunctionText.h"

#include <algorithm>
#include <cctype>
#include <vector>

namespace tilescope::app {

namespace ast = compiler::ast;

static constexpr std::string_view kFlip = "flip";

static constexpr ComposedFunction kComposed[] = {
    {"softmax", "exp(x) / sum(exp(x), axis=1, keepdims=True)"},
    {"dot", "a @ b"},
    {"mm", "a @ b"},
    {"bmm", "a @ b"},
    {"inner", "sum(a * b)"},
    {"outer", "a[:, None] * b[None, :]"},
    {"log_softmax", "x - log(sum(exp(x), axis=1, keepdims=True))"},
    {"logsumexp", "log(sum(exp(x), axis=1))"},
    {"relu", "maximum(x, 0)"},
    {"leaky_relu", "where(x > 0, x, 0.01 * x)"},
    {"silu", "x * sigmoid(x)"},
    {"swish", "x * sigmoid(x)"},
    {"gelu", "0.5 * x * (1 + erf(x / sqrt(2)))"},
    {"softplus", "log1p(exp(x))"},
    {"norm", "sqrt(sum(x * x))"},
    {"fliplr", "x[:, ::-1]"},
    {"flipud", "x[::-1]"},
    {kFlip, "x[::-1]"},
    {"rms_norm", "x * rsqrt(mean(x * x, axis=1, keepdims=True) + eps)"}};

const ComposedFunction *composedFunction(const std::string &text,
                                         const compiler::constant::PythonError &error) {
  for (const ComposedFunction &each : kComposed) {
    const std::string name(each.name);
    const bool isMember = error.type == "AttributeError";
    if ((isMember || error.cause.subject == name) &&
        text.find((isMember ? "." : "") + name + "(") != std::string::npos)
      return &each;
  }
  return nullptr;
}

/// The names in a formula that are no functions and no keywords: `x`, or `a` and `b`.
static std::vector<std::string> arraysOf(std::string_view formula) {
  std::vector<std::string> names;
  for (size_t begin = 0; begin < formula.size();) {
    size_t end = begin;
    while (end < formula.size() && ast::isWordByte(formula[end]))
      ++end;
    const std::string word(formula.substr(begin, end - begin));
    const bool isArray = word.size() == 1 && std::isalpha(static_cast<unsigned char>(word[0]));
    if (isArray && std::ranges::find(names, word) == names.end())
      names.push_back(word);
    begin = std::max(end, begin + 1);
  }
  return names;
}

static std::string withWord(std::string_view text, std::string_view word, const std::string &code) {
  std::string result;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = begin;
    while (end < text.size() && ast::isWordByte(text[end]))
      ++end;
    const std::string_view found = text.substr(begin, std::max<size_t>(end - begin, 1));
    result += found == word ? code : std::string(found);
    begin += found.size();
  }
  return result;
}

/// The argument as an operand of anything.
static std::string operandOf(const ast::SyntaxTree &tree, const ast::Expr &argument) {
  const std::string text(tree.text(argument.range));
  const bool isPlain = ast::is<ast::Name>(&argument) || ast::is<ast::Call>(&argument) ||
                       ast::is<ast::Subscript>(&argument) || ast::is<ast::Attribute>(&argument);
  return isPlain ? text : "(" + text + ")";
}

/// `flip(x, axis=1)`; empty along axes that this does not tell.
static std::string flippedBy(const ast::SyntaxTree &tree, const ast::Call &call) {
  const ast::Expr *along = call.args.size() == 2       ? call.args[1]
                           : call.keywords.size() == 1 ? call.keywords.front()->value
                                                       : nullptr;
  const auto *axis = along ? ast::as<ast::Constant>(along) : nullptr;
  const bool isColumns = axis && axis->intValue == 1;
  if (call.args.empty() || call.args.size() + call.keywords.size() > 2 ||
      (along && !isColumns && !(axis && axis->intValue == 0)))
    return {};
  return operandOf(tree, *call.args[0]) + (isColumns ? "[:, ::-1]" : "[::-1]");
}

/// Empty: the call says more than the formula does.
static std::string formulaOf(const ast::SyntaxTree &tree, const ast::Call &call) {
  const auto *composed =
      std::ranges::find(kComposed, arrayFunctionName(call), &ComposedFunction::name);
  if (composed == std::end(kComposed))
    return {};
  if (composed->name == kFlip)
    return flippedBy(tree, call);
  static constexpr std::string_view kAxis = "axis=1";
  std::string formula(composed->formula);
  const std::vector<std::string> arrays = arraysOf(formula);
  if (call.args.size() != arrays.size() || call.keywords.size() > 1 ||
      formula.find("eps") != std::string::npos)
    return {};
  if (!call.keywords.empty()) {
    const ast::Keyword &keyword = *call.keywords.front();
    const size_t axis = formula.find(kAxis);
    const bool isAxis = keyword.arg == "axis" || keyword.arg == "dim";
    if (!isAxis || axis == std::string::npos)
      return {};
    const std::string written = "axis=" + std::string(tree.text(keyword.value->range));
    for (size_t at = axis; at != std::string::npos; at = formula.find(kAxis, at + written.size()))
      formula.replace(at, kAxis.size(), written);
  }
  // In one step each: an argument may be called as another array of the formula is.
  for (const std::string &array : arrays)
    formula = withWord(formula, array, "$" + array + "_");
  for (size_t i = 0; i < arrays.size(); ++i) {
    const std::string mark = "$" + arrays[i] + "_";
    for (size_t at = 0; (at = formula.find(mark, at)) != std::string::npos;) {
      // What is an argument of its own needs no parentheses.
      const size_t behind = at + mark.size();
      const bool isArgument = at > 0 && formula[at - 1] == '(' && behind < formula.size() &&
                              (formula[behind] == ')' || formula[behind] == ',');
      const std::string code =
          isArgument ? std::string(tree.text(call.args[i]->range)) : operandOf(tree, *call.args[i]);
      formula.replace(at, mark.size(), code);
      at += code.size();
    }
  }
  return formula;
}

std::string withFormulas(const std::string &expected) {
  std::string result = rewriteParts(
      expected, [](const ast::SyntaxTree &tree, const ast::Node &node) -> std::optional<Rewrite> {
        const auto *call = ast::as<ast::Call>(&node);
        std::string formula = call ? formulaOf(tree, *call) : std::string();
        if (formula.empty())
          return std::nullopt;
        const bool isWhole = tree.text(call->range) == tree.source;
        return Rewrite{call, isWhole ? std::move(formula) : "(" + formula + ")"};
      });
  return result == expected ? std::string() : result;
}

} // namespace tilescope::app
