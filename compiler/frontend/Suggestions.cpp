// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/Suggestions.h"

#include "compiler/frontend/Specialization.h"
#include "compiler/syntax/LanguageReference.h"

#include "llvm/ADT/StringRef.h"

#include <vector>

namespace tilescope::compiler::frontend {

std::string_view closestName(std::string_view name, std::span<const std::string_view> candidates) {
  std::string_view best;
  // A third of the letters may be wrong; two that changed places count as two.
  unsigned allowed =
      name.size() < 4 ? 1 : std::max<unsigned>(2, static_cast<unsigned>(name.size() / 3));
  unsigned limit = allowed + 1;
  for (std::string_view candidate : candidates) {
    if (name.size() < 2 || candidate == name)
      continue;
    unsigned distance = llvm::StringRef(name).edit_distance_insensitive(candidate, true, limit);
    if (distance >= limit)
      continue;
    best = candidate;
    limit = distance;
  }
  return best;
}

void suggest(Diagnostic &diagnostic, std::string_view replacement) {
  if (replacement.empty())
    return;
  std::string text(replacement);
  diagnostic.notes.push_back("did you mean `" + text + "`?");
  diagnostic.fixes.push_back({diagnostic.range, text, "write `" + text + "`"});
}

/// Where the function gives the name a value, or null.
static const ast::Name *findAssignment(const ast::FunctionDef &function, std::string_view name) {
  const ast::Name *found = nullptr;
  for (const ast::Stmt *statement : function.body)
    ast::walk(*statement, [&](const ast::Node &node) {
      const auto *target = ast::as<ast::Name>(&node);
      if (!found && target && target->ctx == ast::ExprContext::Store && target->id == name)
        found = target;
      return !found;
    });
  return found;
}

void explainUndefined(Diagnostic &diagnostic, std::string_view name, const Frame &frame) {
  const ast::Name *assignment = frame.function ? findAssignment(*frame.function, name) : nullptr;
  if (assignment && assignment->range.begin < diagnostic.range.begin) {
    SourceRange range = assignment->range;
    range.file = diagnostic.range.file;
    diagnostic.labels.push_back({range, "it gets a value here, but not on every path"});
    diagnostic.notes.push_back("give `" + std::string(name) +
                               "` a value before the branch or loop");
    return;
  }
  if (ast::findReference("triton.language." + std::string(name)))
    return suggest(diagnostic, "tl." + std::string(name));
  std::vector<std::string_view> candidates;
  for (const Scope::Entry &entry : frame.locals.entries())
    candidates.push_back(entry.name);
  for (const SourceModule *scope = frame.module; scope; scope = scope->outer)
    for (const auto &binding : scope->bindings)
      candidates.push_back(binding.first());
  suggest(diagnostic, closestName(name, candidates));
}

void explainMember(Diagnostic &diagnostic, const Value &base, std::string_view name) {
  std::string parent;
  if (base.tensor())
    parent = "tensor";
  else if (base.descriptor())
    parent = "descriptor";
  else if (const auto *module = base.constant() ? base.constant()->as<ModuleObject>() : nullptr)
    parent = module->path;
  std::vector<std::string_view> candidates;
  for (const ast::ReferenceEntry *entry : ast::referenceMembers(parent))
    candidates.push_back(entry->name());
  suggest(diagnostic, closestName(name, candidates));
}

void explainNotConstexpr(Diagnostic &diagnostic, const Frame &frame) {
  if (!frame.function || !frame.module->tree || frame.module->isPrelude ||
      diagnostic.range.file != frame.module->file)
    return;
  std::string_view text = frame.module->tree->text(diagnostic.range);
  for (const ast::Arg *parameter : parametersOf(*frame.function)) {
    if (parameter->arg != text || parameter->annotation)
      continue;
    std::string declaration = std::string(text) + ": tl.constexpr";
    diagnostic.notes.push_back("`" + std::string(text) +
                               "` is an argument at run time: declare the parameter as `" +
                               declaration + "`");
    SourceRange range = parameter->range;
    range.file = diagnostic.range.file;
    diagnostic.fixes.push_back(
        {range, declaration, "make `" + std::string(text) + "` a constexpr"});
  }
}

} // namespace tilescope::compiler::frontend
