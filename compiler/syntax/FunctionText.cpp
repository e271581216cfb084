// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/syntax/FunctionText.h"

#include "compiler/syntax/Unicode.h"

#include <algorithm>

namespace tilescope::compiler::ast {

bool isWordByte(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 || isIdentifierContinue(byte);
}

/// `name: annotation = default` as in the source.
static std::string parameterText(const SyntaxTree &tree, std::string_view name,
                                 const Expr *annotation, const Expr *defaultValue) {
  std::string text(name);
  if (annotation)
    (text += ": ") += tree.text(annotation->range);
  if (defaultValue)
    (text += annotation ? " = " : "=") += tree.text(defaultValue->range);
  return text;
}

static std::string joined(std::string_view name, const std::vector<std::string> &parameters) {
  std::string text = std::string(name) + "(";
  for (size_t i = 0; i < parameters.size(); ++i)
    text += (i ? ", " : "") + parameters[i];
  return text + ")";
}

std::string signatureOf(const SyntaxTree &tree, const JitFunction &function) {
  std::vector<std::string> parameters;
  for (const ParameterInfo &each : function.parameters)
    parameters.push_back(parameterText(tree, each.name, each.annotation, each.defaultValue));
  return joined(function.name, parameters);
}

std::string signatureOf(const SyntaxTree &tree, const FunctionDef &def) {
  std::vector<std::string> parameters;
  if (const Arguments *args = def.args) {
    const size_t numPositional = args->posonlyargs.size() + args->args.size();
    const size_t numRequired = numPositional - std::min(numPositional, args->defaults.size());
    size_t index = 0;
    for (const Seq<Arg> &list : {args->posonlyargs, args->args})
      for (const Arg *arg : list) {
        const Expr *value = index < numRequired ? nullptr : args->defaults[index - numRequired];
        parameters.push_back(parameterText(tree, arg->arg, arg->annotation, value));
        ++index;
      }
    if (args->vararg)
      parameters.push_back("*" + std::string(args->vararg->arg));
    else if (!args->kwonlyargs.empty())
      parameters.emplace_back("*");
    for (size_t i = 0; i < args->kwonlyargs.size(); ++i)
      parameters.push_back(parameterText(tree, args->kwonlyargs[i]->arg,
                                         args->kwonlyargs[i]->annotation, args->kwDefaults[i]));
    if (args->kwarg)
      parameters.push_back("**" + std::string(args->kwarg->arg));
  }
  return joined(def.name, parameters);
}

std::string docstringOf(const FunctionDef &def) {
  auto *first = def.body.empty() ? nullptr : as<ExprStmt>(def.body[0]);
  auto *text = first ? as<Constant>(first->value) : nullptr;
  return text && text->constantKind == ConstantKind::Str ? std::string(text->text) : "";
}

std::string_view parameterName(std::string_view parameter) {
  while (parameter.starts_with('*'))
    parameter.remove_prefix(1);
  return parameter.substr(0, parameter.find_first_of(":= "));
}

std::string_view expressionBefore(std::string_view source, size_t end) {
  size_t begin = end;
  while (begin > 0) {
    char c = source[begin - 1];
    if (isWordByte(c) || c == '.') {
      --begin;
    } else if (c == ')' || c == ']') {
      int depth = 0;
      size_t at = begin;
      while (at > 0) {
        char d = source[--at];
        depth += d == ')' || d == ']' ? 1 : d == '(' || d == '[' ? -1 : 0;
        if (depth == 0)
          break;
      }
      if (depth != 0)
        break;
      begin = at;
    } else {
      break;
    }
  }
  return source.substr(begin, end - begin);
}

} // namespace tilescope::compiler::ast
