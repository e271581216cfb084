// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/stepping/BlockExpression.h"

#include "compiler/stepping/BlockEvaluation.h"
#include "compiler/syntax/Parser.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <limits>
#include <optional>
#include <regex>
#include <string_view>
#include <utility>

namespace tilescope::compiler::stepping {

struct ParsedBlockExpression {
  ast::ParsedExpression parsed;
  /// Values of the IR, in place of which names stand that the parser reads.
  std::vector<std::string> irNames;
};

/// In front of the number of a value of the IR.
static constexpr std::string_view kIrName = "__ir_value_";

Error blockError(std::string message) { return {ErrorCode::Usage, std::move(message), ""}; }

static bool isNamePart(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// Whether what was read so far ends in a value, behind which `%` is the remainder.
static bool endsInValue(std::string_view text) {
  const size_t last = text.find_last_not_of(" \t");
  if (last == std::string_view::npos)
    return false;
  text = text.substr(0, last + 1);
  if (text.back() == ')' || text.back() == ']')
    return true;
  if (!isNamePart(text.back()))
    return false;
  size_t begin = text.size();
  while (begin > 0 && isNamePart(text[begin - 1]))
    --begin;
  const std::string_view word = text.substr(begin);
  return word != "not" && word != "and" && word != "or";
}

/// The text with a plain name for each `%name` of the IR, which go to `names`.
static std::string withPlainNames(const std::string &text, std::vector<std::string> &names) {
  std::string plain;
  for (size_t at = 0; at < text.size();) {
    if (text[at] != '%' || endsInValue(plain)) {
      plain += text[at++];
      continue;
    }
    size_t end = at + 1;
    while (end < text.size() && (isNamePart(text[end]) || text[end] == '$' || text[end] == '#'))
      ++end;
    plain += std::string(kIrName) + std::to_string(names.size());
    names.push_back(text.substr(at, end - at));
    at = end;
  }
  return plain;
}

/// `float("-inf")`, as kernels write it, is `(-inf)`.
static std::string withPlainInfinities(const std::string &text) {
  static const std::regex kCall(R"re(\bfloat\(\s*(["'])([+-]?)(inf|nan)(inity)?\1\s*\))re");
  return std::regex_replace(text, kCall, "($2$3)");
}

/// Numbers that have no digits.
static std::optional<double> namedNumber(std::string_view name) {
  if (name == "inf")
    return std::numeric_limits<double>::infinity();
  return name == "nan" ? std::optional(std::numeric_limits<double>::quiet_NaN()) : std::nullopt;
}

/// What the user has written where the parser read `name`.
static std::string meantName(const std::string &name, const std::vector<std::string> &irNames) {
  if (!name.starts_with(kIrName))
    return name;
  const size_t index = std::strtoul(name.c_str() + kIrName.size(), nullptr, 10);
  return index < irNames.size() ? irNames[index] : name;
}

Result<BlockExpression> BlockExpression::parse(const std::string &text) {
  auto parsed = std::make_shared<ParsedBlockExpression>();
  parsed->parsed = ast::parseExpression(withPlainNames(withPlainInfinities(text), parsed->irNames));
  const ast::ParsedExpression &read = parsed->parsed;
  if (!read.expr || (read.tree && read.tree->hasErrors()))
    return blockError(read.tree && !read.tree->diagnostics.empty()
                          ? read.tree->diagnostics.front().message
                          : "`" + text + "` is not an expression");
  BlockExpression expression;
  expression.m_parsed = std::move(parsed);
  return expression;
}

std::string BlockExpression::unknownFunction() const {
  std::string unknown;
  ast::walk(*m_parsed->parsed.expr, [&](const ast::Node &node) {
    const auto *call = ast::as<ast::Call>(&node);
    const auto *plain = call ? ast::as<ast::Name>(call->func) : nullptr;
    const auto *method = call ? ast::as<ast::Attribute>(call->func) : nullptr;
    const std::string_view name = plain ? plain->id : method ? method->attr : std::string_view();
    if (call && !isFunction(name))
      unknown = name;
    return unknown.empty();
  });
  return unknown;
}

std::vector<std::string> BlockExpression::names() const {
  std::vector<std::string> found;
  std::vector<const ast::Node *> functions;
  ast::walk(*m_parsed->parsed.expr, [&](const ast::Node &node) {
    const auto *call = ast::as<ast::Call>(&node);
    if (call)
      functions.push_back(call->func);
    // `tl` of `tl.sum` and of `tl.float32`.
    if (const auto *member = ast::as<ast::Attribute>(&node); member && isModule(*member->value))
      functions.push_back(member->value);
    const auto *name = ast::as<ast::Name>(&node);
    if (!name || std::ranges::find(functions, &node) != functions.end() || namedNumber(name->id))
      return true;
    std::string meant = meantName(std::string(name->id), m_parsed->irNames);
    if (std::ranges::find(found, meant) == found.end())
      found.push_back(std::move(meant));
    return true;
  });
  return found;
}

Result<NumberBlock> BlockExpression::evaluate(const NameLookup &lookup) const {
  const NameLookup ofMeant = [&](const std::string &name) {
    Result<NumberBlock> found = lookup(meantName(name, m_parsed->irNames));
    // A variable of that name goes first.
    const std::optional<double> number = found ? std::nullopt : namedNumber(name);
    return number ? NumberBlock{{}, {*number}, 0, {}, true} : std::move(found);
  };
  return BlockEvaluation(ofMeant).of(m_parsed->parsed.expr);
}

Result<bool> BlockExpression::holds(const NameLookup &lookup) const {
  const Result<NumberBlock> value = evaluate(lookup);
  if (!value)
    return value.error();
  for (size_t i = 0; i < value->numbers.size(); ++i)
    if (value->numbers[i] != 0 && value->isDefined(i))
      return true;
  return false;
}

} // namespace tilescope::compiler::stepping
