// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/syntax/MisspelledAnnotation.h"

#include "compiler/support/NearestName.h"
#include "compiler/syntax/LanguageReference.h"

namespace tilescope::compiler::ast {

static constexpr std::string_view kMeant[] = {"constexpr"};

/// Whether any statement of the file, or another module by `import *`, may define the name.
static bool mayDefine(const SyntaxTree &tree, std::string_view name) {
  bool isDefined = false;
  walk(*tree.module, [&](const Node &node) {
    if (const auto *alias = as<Alias>(&node))
      isDefined |= alias->name == "*" || alias->asname.value_or(alias->name) == name;
    else if (const auto *target = as<Name>(&node))
      isDefined |= target->id == name && target->ctx == ExprContext::Store;
    else if (const auto *function = as<FunctionDef>(&node))
      isDefined |= function->name == name;
    else if (const auto *type = as<ClassDef>(&node))
      isDefined |= type->name == name;
    return !isDefined;
  });
  return isDefined;
}

/// What the file calls `triton.language`; "tl" where it does not import it.
static std::string languageName(const ModuleIndex &index) {
  for (const auto &[name, path] : index.imports)
    if (path == "triton.language")
      return name;
  return "tl";
}

/// `BLOCK: constexpr` without an import of it.
static std::optional<Diagnostic> undefinedConstexpr(const SyntaxTree &tree,
                                                    const ModuleIndex &index, const Name &name) {
  const bool isMeant = name.id == kMeant[0] || !closestName(name.id, kMeant).empty();
  if (!isMeant || mayDefine(tree, name.id))
    return std::nullopt;
  const std::string meant = languageName(index) + ".constexpr";
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::UndefinedName;
  diagnostic.range = name.range;
  diagnostic.message = "`" + std::string(name.id) + "` is not defined";
  diagnostic.notes.push_back("did you mean `" + meant + "`?");
  diagnostic.fixes.push_back({name.range, meant, "write `" + meant + "`"});
  return diagnostic;
}

std::optional<Diagnostic> misspelledConstexpr(const SyntaxTree &tree, const ModuleIndex &index,
                                              const ParameterInfo &parameter) {
  static constexpr std::string_view kLanguage = "triton.language.";
  if (const auto *name = parameter.annotation ? as<Name>(parameter.annotation) : nullptr)
    return undefinedConstexpr(tree, index, *name);
  const auto *annotation = parameter.annotation ? as<Attribute>(parameter.annotation) : nullptr;
  const std::string path = annotation ? index.resolve(*annotation) : std::string();
  if (!path.starts_with(kLanguage) || findReference(path) ||
      path.size() != kLanguage.size() + annotation->attr.size() ||
      closestName(annotation->attr, kMeant).empty() || annotation->attr == kMeant[0])
    return std::nullopt;
  const std::string meant(kMeant[0]);
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::UnknownAttribute;
  diagnostic.range = annotation->attrRange;
  diagnostic.message =
      "module `triton.language` has no attribute `" + std::string(annotation->attr) + "`";
  diagnostic.notes.push_back("did you mean `" + meant + "`?");
  diagnostic.fixes.push_back({annotation->attrRange, meant, "write `" + meant + "`"});
  return diagnostic;
}

} // namespace tilescope::compiler::ast
