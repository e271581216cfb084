// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/syntax/MisspelledAnnotation.h"

#include "compiler/support/NearestName.h"
#include "compiler/syntax/LanguageReference.h"
#include "compiler/syntax/MissingImports.h"

#include <algorithm>

namespace tilescope::compiler::ast {

static constexpr std::string_view kMeant[] = {"constexpr"};

/// Whether any statement of the file, or another module by `import *`, may define the name.
static bool mayDefine(const SyntaxTree &tree, std::string_view name) {
  bool isDefined = false;
  walk(*tree.module, [&](const Node &node) {
    if (const auto *alias = as<Alias>(&node))
      isDefined |= alias->name == "*" || alias->asname.value_or(alias->name) == name ||
                   (!alias->asname && alias->name.starts_with(std::string(name) + "."));
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

/// What Python defines, as far as it stands in annotations.
static bool isBuiltinType(std::string_view name) {
  static constexpr std::string_view kTypes[] = {
      "bool",  "bytes", "complex", "dict", "float", "int",      "list", "object",   "set",
      "slice", "str",   "tuple",   "type", "range", "callable", "any",  "frozenset"};
  return std::ranges::find(kTypes, name) != std::end(kTypes);
}

/// `from __future__ import annotations`, with which Python does not evaluate them.
static bool leavesAnnotations(const SyntaxTree &tree) {
  return std::ranges::any_of(tree.module->body, [](const Stmt *statement) {
    const auto *import = as<ImportFrom>(statement);
    return import && import->module == "__future__" &&
           std::ranges::any_of(import->names,
                               [](const Alias *alias) { return alias->name == "annotations"; });
  });
}

std::optional<Diagnostic> unboundAnnotation(const SyntaxTree &tree,
                                            const ParameterInfo &parameter) {
  const Name *unbound = nullptr;
  if (parameter.annotation)
    walk(*parameter.annotation, [&](const Node &node) {
      const auto *name = as<Name>(&node);
      // A kernel that lacks the language has that error already.
      const bool isMissed = name && name->id == "tl";
      if (name && !unbound && !isMissed && !isBuiltinType(name->id) && !mayDefine(tree, name->id))
        unbound = name;
      return !unbound;
    });
  if (!unbound || leavesAnnotations(tree))
    return std::nullopt;
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::UndefinedName;
  diagnostic.severity = Severity::Warning;
  diagnostic.range = unbound->range;
  diagnostic.message = "`" + std::string(unbound->id) +
                       "` is not defined: Python evaluates annotations, and stops here with a "
                       "`NameError`";
  if (std::optional<DiagnosticFix> fix = importFix(tree, unbound->id))
    diagnostic.fixes.push_back(std::move(*fix));
  return diagnostic;
}

} // namespace tilescope::compiler::ast
