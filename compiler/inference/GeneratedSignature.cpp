// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/inference/GeneratedSignature.h"

#include <optional>

namespace tilescope::compiler::inference {

/// The value of an entry of a dictionary that is written out, or null.
static const ast::Expr *entryOf(const ast::Expr *dictionary, std::string_view name) {
  const auto *dict = ast::as<ast::Dict>(dictionary);
  for (size_t i = 0; dict && i < dict->keys.size(); ++i) {
    const auto *key = ast::as<ast::Constant>(dict->keys[i]);
    if (key && key->constantKind == ast::ConstantKind::Str && key->text == name)
      return dict->values[i];
  }
  return nullptr;
}

/// The parameter that a key of `signature` or `constants` means: its name, its number, or its
/// number in a tuple. Empty when there is none.
static std::string_view parameterOf(const ast::FunctionDef &function, const ast::Expr *key) {
  if (const auto *path = ast::as<ast::Tuple>(key); path && path->elts.size() == 1)
    key = path->elts[0];
  const auto *constant = ast::as<ast::Constant>(key);
  if (!constant)
    return {};
  if (constant->constantKind == ast::ConstantKind::Str)
    return constant->text;
  const ast::Seq<ast::Arg> &parameters = function.args->args;
  std::optional<int64_t> index = constant->intValue;
  bool isParameter = index && *index >= 0 && *index < static_cast<int64_t>(parameters.size());
  return isParameter ? std::string_view(parameters[*index]->arg) : std::string_view();
}

/// Calls `use` with every parameter that the dictionary mentions.
template <typename F>
static void forEachParameter(const ast::FunctionDef &function, const ast::Expr *dictionary,
                             F &&use) {
  const auto *dict = ast::as<ast::Dict>(dictionary);
  for (size_t i = 0; dict && i < dict->keys.size(); ++i)
    if (std::string_view name = parameterOf(function, dict->keys[i]); !name.empty())
      use(std::string(name), *dict->values[i]);
}

/// The value of the decorator's `triton_meta`, or null.
static const ast::Expr *metaOf(const ast::Expr &decorator) {
  const auto *call = ast::as<ast::Call>(&decorator);
  for (const ast::Keyword *keyword : call ? call->keywords : ast::Seq<ast::Keyword>())
    if (keyword->arg == "triton_meta")
      return keyword->value;
  return nullptr;
}

bool hasGeneratedSignature(const ast::Expr &decorator) {
  const ast::Expr *meta = metaOf(decorator);
  return meta && entryOf(meta, "signature");
}

void readGeneratedSignature(const ast::SyntaxTree &tree, const ast::FunctionDef &function,
                            Selection &given) {
  for (const ast::Expr *decorator : function.decoratorList) {
    const ast::Expr *meta = metaOf(*decorator);
    if (!meta)
      continue;
    forEachParameter(function, entryOf(meta, "constants"),
                     [&](std::string name, const ast::Expr &value) {
                       if (!given.signature.contains(name))
                         given.constexprs.try_emplace(std::move(name), tree.text(value.range));
                     });
    forEachParameter(function, entryOf(meta, "signature"),
                     [&](std::string name, const ast::Expr &value) {
                       const auto *type = ast::as<ast::Constant>(&value);
                       bool isType = type && type->constantKind == ast::ConstantKind::Str;
                       if (isType && type->text != "constexpr" && !given.constexprs.contains(name))
                         given.signature.try_emplace(std::move(name), type->text);
                     });
  }
}

} // namespace tilescope::compiler::inference
