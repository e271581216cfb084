// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/MaskedOffWrites.h"

#include "compiler/syntax/AccessArguments.h"

#include <algorithm>
#include <vector>

namespace tilescope::compiler {

namespace {
/// An access in the source.
struct AccessCall {
  const ast::Call *call = nullptr;
  /// Around it.
  const ast::FunctionDef *function = nullptr;
};
} // namespace

static AccessCall callAt(const ast::SyntaxTree &tree, const SourceRange &range) {
  AccessCall found;
  ast::walk(*tree.module, [&](const ast::Node &node) {
    if (const auto *function = ast::as<ast::FunctionDef>(&node);
        function && function->range.contains(range.begin))
      found.function = function;
    const auto *call = ast::as<ast::Call>(&node);
    if (call && call->range == range && ast::is<ast::Attribute>(call->func))
      found.call = call;
    return !found.call;
  });
  return found;
}

/// Names in an expression, and in what those stand for.
static void collectNames(const ast::Expr &expr, const IndexReader &reader,
                         std::vector<std::string> &names) {
  constexpr size_t kMost = 32;
  ast::walk(expr, [&](const ast::Node &node) {
    const auto *name = ast::as<ast::Name>(&node);
    if (!name || names.size() >= kMost || std::ranges::find(names, name->id) != names.end())
      return true;
    names.emplace_back(name->id);
    if (const ast::Expr *value = reader.valueOf(*name))
      collectNames(*value, reader, names);
    return true;
  });
}

/// `mask` is `offs < n`; `n` is 0 in this launch.
static std::vector<std::string> maskNotes(const ast::SyntaxTree &tree, const AccessCall &write,
                                          const KernelSizes &sizes) {
  const ast::Expr *mask = maskOf(*write.call);
  if (!mask || !write.function)
    return {};
  const IndexReader reader(*write.function, write.call->range.begin, {}, sizes);
  std::vector<std::string> notes;
  std::string text = "the mask is `" + std::string(tree.text(mask->range)) + "`";
  if (const ast::Expr *value = ast::is<ast::Name>(mask) ? reader.valueOf(*mask) : nullptr)
    text = "`" + std::string(tree.text(mask->range)) + "` is `" +
           std::string(tree.text(value->range)) + "`";
  std::vector<std::string> names;
  collectNames(*mask, reader, names);
  std::string numbers;
  for (const std::string &name : names)
    if (const auto number = sizes.arguments.find(name); number != sizes.arguments.end())
      numbers += (numbers.empty() ? "" : ", ") + std::string("`") + name + "` is " +
                 std::to_string(number->second);
  notes.push_back(text + (numbers.empty() ? "" : "; in this launch, " + numbers));
  return notes;
}

std::optional<Diagnostic> maskedOffDiagnostic(const ast::SyntaxTree *tree,
                                              const MaskedOffAccess &access,
                                              const KernelSizes &sizes) {
  const AccessCall found =
      tree && access.range.file == 0 ? callAt(*tree, access.range) : AccessCall();
  if (access.isLoad && (!found.call || !maskOf(*found.call)))
    return std::nullopt;
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::RunUndefined;
  diagnostic.severity = access.isLoad ? Severity::Note : Severity::Warning;
  diagnostic.range = access.range;
  diagnostic.message =
      "the mask of this " +
      (found.call ? "`" + std::string(tree->text(found.call->func->range)) + "`" : "operation") +
      " was false for every element of every program" +
      (access.argument.empty()
           ? ""
           : std::string(access.isLoad ? ": it read nothing of `" : ": it wrote nothing to `") +
                 access.argument + "`");
  if (found.call)
    diagnostic.notes = maskNotes(*tree, found, sizes);
  return diagnostic;
}

} // namespace tilescope::compiler
