// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/KernelText.h"

#include "app/launch/SourceKernels.h"
#include "compiler/syntax/ModuleIndex.h"
#include "compiler/syntax/Parser.h"

namespace tilescope::app {

namespace ast = compiler::ast;

KernelText::KernelText(std::string_view text, const std::string &kernel)
    : m_tree(ast::parseModule(std::string(text))) {
  const ast::ModuleIndex index = ast::indexModule(*m_tree);
  // A launch block that names none is of the file's first.
  const std::vector<SourceKernel> kernels =
      kernel.empty() ? sourceKernels(text) : std::vector<SourceKernel>();
  const std::string &name = kernels.empty() ? kernel : kernels.front().name;
  if (const ast::JitFunction *found = index.findFunction(name))
    m_function = found->def;
}

std::string_view KernelText::text(const ast::Node &node) const { return m_tree->text(node.range); }

void KernelText::walk(const std::function<void(const ast::Node &)> &visit) const {
  for (size_t i = 0; m_function && i < m_function->body.size(); ++i)
    ast::walk(*m_function->body[i], [&](const ast::Node &node) {
      visit(node);
      return true;
    });
}

const ast::Arg *KernelText::parameter(std::string_view name) const {
  if (!m_function)
    return nullptr;
  const ast::Arguments &declared = *m_function->args;
  for (const auto &group : {declared.posonlyargs, declared.args, declared.kwonlyargs})
    for (const ast::Arg *parameter : group)
      if (parameter->arg == name)
        return parameter;
  return nullptr;
}

const ast::Assign *KernelText::onlyAssignment(std::string_view name) const {
  const ast::Assign *found = nullptr;
  int numAssigned = 0;
  walk([&](const ast::Node &node) {
    const auto *assign = ast::as<ast::Assign>(&node);
    const auto *update = ast::as<ast::AugAssign>(&node);
    if (assign && nameOf(assign->targets.front()) == name) {
      found = assign;
      ++numAssigned;
    }
    numAssigned += update && nameOf(update->target) == name;
  });
  return numAssigned == 1 ? found : nullptr;
}

const ast::Expr *KernelText::valueOf(const ast::Expr *expr) const {
  const std::string_view name = nameOf(expr);
  const ast::Assign *assign = name.empty() ? nullptr : onlyAssignment(name);
  return assign ? assign->value : expr;
}

bool KernelText::isMadeOf(const ast::Expr &expr,
                          const std::function<bool(const ast::Node &)> &isPart, int depth) const {
  constexpr int kMostNames = 4;
  bool found = false;
  ast::walk(expr, [&](const ast::Node &node) {
    const auto *name = ast::as<ast::Name>(&node);
    const ast::Assign *assign = name ? onlyAssignment(name->id) : nullptr;
    found |= isPart(node) ||
             (assign && depth < kMostNames && isMadeOf(*assign->value, isPart, depth + 1));
    return !found;
  });
  return found;
}

const ast::Call *KernelText::callOf(const ast::Node *node, std::string_view name) {
  const auto *call = node ? ast::as<ast::Call>(node) : nullptr;
  const auto *function = call ? ast::as<ast::Attribute>(call->func) : nullptr;
  return function && function->attr == name ? call : nullptr;
}

std::string_view KernelText::nameOf(const ast::Expr *expr) {
  const auto *name = expr ? ast::as<ast::Name>(expr) : nullptr;
  return name ? std::string_view(name->id) : std::string_view();
}

} // namespace tilescope::app
