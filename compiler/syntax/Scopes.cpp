// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/syntax/Scopes.h"

#include <algorithm>

namespace tilescope::compiler::ast {

namespace {

struct Use {
  std::string_view name;
  SourceRange range;
  Scope *scope;
};

/// Finds bindings on the way down; uses are resolved when all bindings are known.
class Builder {
public:
  explicit Builder(Scope &module) : m_scope(&module) {}

  void run(const Module &module) {
    for (const Stmt *stmt : module.body)
      visitNode(*stmt);
    for (const Use &use : m_uses)
      resolve(use);
  }

private:
  Symbol &bind(std::string_view name, SourceRange range) {
    Scope *scope = m_scope;
    if (auto outer = scope->outerNames.find(name); outer != scope->outerNames.end())
      scope = ownerOf(*scope, name, outer->second);
    Symbol &symbol = scope->symbols[name];
    symbol.name = name;
    if (!range.empty())
      symbol.bindings.push_back(range);
    return symbol;
  }

  static Scope *ownerOf(Scope &scope, std::string_view name, bool isGlobal) {
    Scope *found = scope.parent ? scope.parent : &scope;
    while (found->parent && (isGlobal || !found->symbols.contains(name)))
      found = found->parent;
    return found;
  }

  void resolve(const Use &use) {
    for (Scope *scope = use.scope; scope; scope = scope->parent) {
      // The names of a class are not visible in its methods.
      bool isHidden = scope != use.scope && is<ClassDef>(scope->owner);
      auto found = scope->symbols.find(use.name);
      if (isHidden || found == scope->symbols.end())
        continue;
      found->second.uses.push_back(use.range);
      return;
    }
  }

  /// Visits with a new scope as the current one.
  template <typename F> void inScope(const Node &owner, F &&visitInside) {
    auto child = std::make_unique<Scope>();
    child->owner = &owner;
    child->parent = m_scope;
    Scope *outer = m_scope;
    m_scope = child.get();
    outer->children.push_back(std::move(child));
    visitInside();
    m_scope = outer;
  }

  void visitAll(auto nodes) {
    for (const auto *node : nodes)
      if (node)
        visitNode(*node);
  }
  void visitOptional(const Node *node) {
    if (node)
      visitNode(*node);
  }

  static SourceRange nameRange(SourceRange range, std::string_view name) {
    range.end = range.begin;
    range.end.column += static_cast<uint32_t>(name.size());
    return range;
  }

  void bindParameters(const Arguments &args) {
    auto bindOne = [&](const Arg *arg) {
      if (!arg)
        return;
      Symbol &symbol = bind(arg->arg, nameRange(arg->range, arg->arg));
      symbol.isParameter = true;
      symbol.annotation = arg->annotation;
    };
    for (const auto &list : {args.posonlyargs, args.args, args.kwonlyargs})
      for (const Arg *arg : list)
        bindOne(arg);
    bindOne(args.vararg);
    bindOne(args.kwarg);
  }

  /// Annotations and defaults belong to the scope around the function.
  void visitSignature(const Arguments &args) {
    visitAll(args.defaults);
    visitAll(args.kwDefaults);
    for (const auto &list : {args.posonlyargs, args.args, args.kwonlyargs})
      for (const Arg *arg : list)
        visitOptional(arg->annotation);
    if (args.vararg)
      visitOptional(args.vararg->annotation);
    if (args.kwarg)
      visitOptional(args.kwarg->annotation);
  }

  void visitFunction(const FunctionDef &def) {
    bind(def.name, def.nameRange);
    visitAll(def.decoratorList);
    if (def.args)
      visitSignature(*def.args);
    visitOptional(def.returns);
    inScope(def, [&] {
      for (const TypeParam *param : def.typeParams)
        bind(param->name, nameRange(param->range, param->name));
      if (def.args)
        bindParameters(*def.args);
      visitAll(def.body);
    });
  }

  void visitClass(const ClassDef &def) {
    bind(def.name, def.nameRange);
    visitAll(def.decoratorList);
    visitAll(def.bases);
    visitAll(def.keywords);
    inScope(def, [&] { visitAll(def.body); });
  }

  void visitComprehension(const Expr &node) {
    auto *dict = as<DictComp>(&node);
    auto *list = as<ListComp>(&node);
    inScope(node, [&] {
      for (const Comprehension *generator : dict ? dict->generators : list->generators) {
        visitNode(*generator->iter);
        visitNode(*generator->target);
        visitAll(generator->ifs);
      }
      if (dict) {
        visitNode(*dict->key);
        visitNode(*dict->value);
      } else {
        visitNode(*list->elt);
      }
    });
  }

  void visitAliases(Seq<Alias> names, bool bindsFirstPart) {
    for (const Alias *alias : names) {
      std::string_view name = alias->asname.value_or(alias->name);
      if (!alias->asname && bindsFirstPart)
        name = name.substr(0, name.find('.'));
      bind(name, alias->range);
    }
  }

  void visitNode(const Node &node) {
    switch (node.kind) {
    case NodeKind::FunctionDef:
    case NodeKind::AsyncFunctionDef:
      return visitFunction(static_cast<const FunctionDef &>(node));
    case NodeKind::ClassDef:
      return visitClass(static_cast<const ClassDef &>(node));
    case NodeKind::Lambda: {
      auto &lambda = static_cast<const Lambda &>(node);
      visitSignature(*lambda.args);
      return inScope(node, [&] {
        bindParameters(*lambda.args);
        visitNode(*lambda.body);
      });
    }
    case NodeKind::ListComp:
    case NodeKind::SetComp:
    case NodeKind::GeneratorExp:
    case NodeKind::DictComp:
      return visitComprehension(static_cast<const Expr &>(node));
    case NodeKind::Import:
      return visitAliases(static_cast<const Import &>(node).names, true);
    case NodeKind::ImportFrom:
      return visitAliases(static_cast<const ImportFrom &>(node).names, false);
    case NodeKind::Global:
      for (std::string_view name : static_cast<const Global &>(node).names)
        m_scope->outerNames[name] = true;
      return;
    case NodeKind::Nonlocal:
      for (std::string_view name : static_cast<const Nonlocal &>(node).names)
        m_scope->outerNames[name] = false;
      return;
    case NodeKind::Name: {
      auto &name = static_cast<const Name &>(node);
      if (name.ctx == ExprContext::Store)
        bind(name.id, name.range);
      else
        m_uses.push_back({name.id, name.range, m_scope});
      return;
    }
    case NodeKind::AnnAssign: {
      auto &assign = static_cast<const AnnAssign &>(node);
      visitOptional(assign.value);
      visitNode(*assign.annotation);
      visitNode(*assign.target);
      if (auto *name = as<Name>(assign.target))
        bind(name->id, {}).annotation = assign.annotation;
      return;
    }
    case NodeKind::AugAssign: {
      auto &assign = static_cast<const AugAssign &>(node);
      visitNode(*assign.target);
      visitNode(*assign.value);
      return;
    }
    case NodeKind::ExceptHandler: {
      auto &handler = static_cast<const ExceptHandler &>(node);
      visitOptional(handler.type);
      if (handler.name)
        bind(*handler.name, nameRange(handler.range, *handler.name));
      return visitAll(handler.body);
    }
    case NodeKind::MatchAs:
    case NodeKind::MatchStar: {
      std::optional<Identifier> name = is<MatchAs>(&node)
                                           ? static_cast<const MatchAs &>(node).name
                                           : static_cast<const MatchStar &>(node).name;
      if (name)
        bind(*name, nameRange(node.range, *name));
      break;
    }
    default:
      break;
    }
    forEachChild(node, [&](const Node &child) { visitNode(child); });
  }

  Scope *m_scope;
  std::vector<Use> m_uses;
};

} // namespace

ScopeTable::ScopeTable(const Module &module) : m_module(std::make_unique<Scope>()) {
  m_module->owner = &module;
  Builder(*m_module).run(module);
}

static Seq<Stmt> bodyOf(const Node &node) {
  if (auto *module = as<Module>(&node))
    return module->body;
  if (auto *function = as<FunctionDef>(&node))
    return function->body;
  if (auto *type = as<ClassDef>(&node))
    return type->body;
  return {};
}

/// Whether the position is in the node, or in lines below its block that no later statement of
/// `outer` claims and that are indented like the block.
static bool covers(const Node &node, Position position, const Node &outer) {
  if (node.range.begin <= position && position <= node.range.end)
    return true;
  bool hasBlock = is<FunctionDef>(&node) || is<ClassDef>(&node);
  if (!hasBlock || position <= node.range.end || position.column <= node.range.begin.column)
    return false;
  Seq<Stmt> siblings = bodyOf(outer);
  return std::none_of(siblings.begin(), siblings.end(), [&](const Stmt *stmt) {
    return stmt->range.begin >= node.range.end && stmt->range.begin <= position;
  });
}

const Scope &ScopeTable::scopeAt(Position position) const {
  const Scope *scope = m_module.get();
  while (true) {
    const Scope *inner = nullptr;
    for (const auto &child : scope->children)
      if (covers(*child->owner, position, *scope->owner))
        inner = child.get();
    if (!inner)
      return *scope;
    scope = inner;
  }
}

static bool holds(const std::vector<SourceRange> &ranges, Position position) {
  return std::any_of(ranges.begin(), ranges.end(), [&](const SourceRange &range) {
    return range.begin <= position && position <= range.end;
  });
}

static const Symbol *findSymbol(const Scope &scope, Position position) {
  for (const auto &[name, symbol] : scope.symbols)
    if (holds(symbol.bindings, position) || holds(symbol.uses, position))
      return &symbol;
  for (const auto &child : scope.children)
    if (const Symbol *symbol = findSymbol(*child, position))
      return symbol;
  return nullptr;
}

const Symbol *ScopeTable::symbolAt(Position position) const {
  return findSymbol(*m_module, position);
}

const Symbol *ScopeTable::lookUp(const Scope &scope, std::string_view name) {
  for (const Scope *each = &scope; each; each = each->parent) {
    auto found = each->symbols.find(name);
    if (found != each->symbols.end() && (each == &scope || !is<ClassDef>(each->owner)))
      return &found->second;
  }
  return nullptr;
}

} // namespace tilescope::compiler::ast
