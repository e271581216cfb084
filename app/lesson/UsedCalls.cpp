// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/lesson/UsedCalls.h"

#include "compiler/syntax/ModuleIndex.h"
#include "compiler/syntax/Parser.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace tilescope::app {

namespace ast = compiler::ast;

namespace {

/// `target = value`, in whatever way.
struct Binding {
  const ast::Node *target = nullptr;
  const ast::Expr *value = nullptr;
};

/// Calls of a function of the language, or of the text.
class Callee {
public:
  Callee(const ast::SyntaxTree &tree, const ast::ModuleIndex &index, std::string_view wanted)
      : m_tree(tree), m_index(index), m_wanted(wanted) {}

  bool isCalledBy(const ast::Call &call) const {
    return m_tree.text(call.func->range) == m_wanted || isMethod(*call.func);
  }

private:
  /// `x.sum`, of anything but a module.
  bool isMethod(const ast::Expr &callee) const {
    static constexpr std::string_view kLanguage = "tl.";
    const auto *method = ast::as<ast::Attribute>(&callee);
    if (!method || !m_wanted.starts_with(kLanguage) ||
        method->attr != m_wanted.substr(kLanguage.size()))
      return false;
    const ast::Expr *base = method->value;
    while (const auto *outer = ast::as<ast::Attribute>(base))
      base = outer->value;
    const auto *name = ast::as<ast::Name>(base);
    return !name || !m_index.imports.contains(name->id);
  }

  const ast::SyntaxTree &m_tree;
  const ast::ModuleIndex &m_index;
  std::string_view m_wanted;
};

class Uses {
public:
  Uses(const ast::SyntaxTree &tree, const Callee &wanted) : m_tree(tree), m_wanted(wanted) {
    ast::walk(*tree.module, [&](const ast::Node &node) {
      if (const auto *function = ast::as<ast::FunctionDef>(&node))
        m_functions[function->name] = function;
      return true;
    });
  }

  void readFrom(const ast::FunctionDef &kernel) {
    m_open.push_back(&kernel);
    while (!m_open.empty()) {
      const ast::FunctionDef *function = m_open.back();
      m_open.pop_back();
      if (m_read.insert(function).second)
        read(*function);
    }
  }

  /// In the order of the text.
  const std::set<SourceRange> &found() const { return m_found; }

private:
  /// Functions of the language whose calls are statements.
  static bool hasEffect(std::string_view callee) {
    static constexpr std::string_view kModules[] = {"tl.", "triton.language."};
    const auto module = std::ranges::find_if(
        kModules, [&](std::string_view each) { return callee.starts_with(each); });
    if (module == std::end(kModules))
      return true;
    const std::string_view name = callee.substr(module->size());
    for (const char *prefix : {"store", "atomic_", "device_", "static_", "debug_", "inline_asm",
                               "assume", "experimental_"})
      if (name.starts_with(prefix))
        return true;
    return false;
  }

  /// What a value is part of: names that count from now on, calls, functions of the file.
  void use(const ast::Node &value) {
    ast::walk(value, [&](const ast::Node &node) {
      if (const auto *name = ast::as<ast::Name>(&node))
        m_live.insert(name->id);
      const auto *call = ast::as<ast::Call>(&node);
      if (!call)
        return true;
      const std::string_view callee = m_tree.text(call->func->range);
      if (m_wanted.isCalledBy(*call))
        m_found.insert(call->func->range);
      if (const auto known = m_functions.find(callee); known != m_functions.end())
        m_open.push_back(known->second);
      return true;
    });
  }

  /// Statements that do something by themselves; those that only name a value are kept for later.
  void readStatement(const ast::Node &node, std::vector<Binding> &bindings) {
    const auto useIf = [&](const ast::Expr *value) {
      if (value)
        use(*value);
    };
    if (const auto *assign = ast::as<ast::Assign>(&node)) {
      for (const ast::Expr *target : assign->targets)
        bindings.push_back({target, assign->value});
    } else if (const auto *update = ast::as<ast::AugAssign>(&node)) {
      bindings.push_back({update->target, update->value});
    } else if (const auto *annotated = ast::as<ast::AnnAssign>(&node)) {
      bindings.push_back({annotated->target, annotated->value});
    } else if (const auto *statement = ast::as<ast::ExprStmt>(&node)) {
      const auto *call = ast::as<ast::Call>(statement->value);
      if (call && hasEffect(m_tree.text(call->func->range)))
        use(*statement->value);
    } else if (const auto *result = ast::as<ast::Return>(&node)) {
      useIf(result->value);
    } else if (const auto *branch = ast::as<ast::If>(&node)) {
      useIf(branch->test);
    } else if (const auto *repeat = ast::as<ast::While>(&node)) {
      useIf(repeat->test);
    } else if (const auto *loop = ast::as<ast::For>(&node)) {
      useIf(loop->iter);
    } else if (const auto *claim = ast::as<ast::Assert>(&node)) {
      useIf(claim->test);
    }
  }

  bool isLive(const ast::Node &target) const {
    bool live = false;
    ast::walk(target, [&](const ast::Node &node) {
      const auto *name = ast::as<ast::Name>(&node);
      live |= name && m_live.contains(name->id);
      return !live;
    });
    return live;
  }

  void read(const ast::FunctionDef &function) {
    m_live.clear();
    for (const ast::Expr *decorator : function.decoratorList)
      use(*decorator);
    std::vector<Binding> bindings;
    for (const ast::Stmt *statement : function.body)
      ast::walk(*statement, [&](const ast::Node &node) {
        readStatement(node, bindings);
        return true;
      });
    for (bool isNew = true; isNew;) {
      isNew = false;
      for (Binding &binding : bindings)
        if (binding.value && isLive(*binding.target)) {
          use(*std::exchange(binding.value, nullptr));
          isNew = true;
        }
    }
  }

  const ast::SyntaxTree &m_tree;
  const Callee &m_wanted;
  std::map<std::string_view, const ast::FunctionDef *> m_functions;
  std::vector<const ast::FunctionDef *> m_open;
  std::set<const ast::FunctionDef *> m_read;
  /// Names of the function that is read.
  std::set<std::string_view> m_live;
  std::set<SourceRange> m_found;
};

} // namespace

std::optional<SourceRange> firstCall(const std::string &text, std::string_view function) {
  const auto tree = ast::parseModule(text);
  const ast::ModuleIndex index = ast::indexModule(*tree);
  const Callee wanted(*tree, index, function);
  std::set<SourceRange> found;
  ast::walk(*tree->module, [&](const ast::Node &node) {
    if (!ast::is<ast::FunctionDef>(&node))
      return true;
    ast::walk(node, [&](const ast::Node &inner) {
      const auto *call = ast::as<ast::Call>(&inner);
      if (call && wanted.isCalledBy(*call))
        found.insert(call->func->range);
      return true;
    });
    return false;
  });
  return found.empty() ? std::nullopt : std::optional(*found.begin());
}

std::optional<SourceRange> usedCall(const std::string &text, std::string_view function,
                                    std::string_view kernel) {
  const auto tree = ast::parseModule(text);
  const ast::ModuleIndex index = ast::indexModule(*tree);
  const Callee wanted(*tree, index, function);
  Uses uses(*tree, wanted);
  for (const ast::JitFunction &each : index.functions)
    if (kernel.empty() ? each.isKernel() && !each.usedByOthers : each.name == kernel)
      uses.readFrom(*each.def);
  return uses.found().empty() ? std::nullopt : std::optional(*uses.found().begin());
}

std::optional<SourceRange> firstLoop(const std::string &text) {
  const auto tree = ast::parseModule(text);
  std::optional<SourceRange> first;
  ast::walk(*tree->module, [&](const ast::Node &node) {
    const bool isLoop = ast::is<ast::For>(&node) || ast::is<ast::While>(&node);
    if (isLoop && (!first || node.range.begin < first->begin))
      first = node.range;
    return true;
  });
  return first;
}

} // namespace tilescope::app
