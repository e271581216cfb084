// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/inference/GuessOrigins.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

namespace tilescope::compiler::inference {

using namespace ast;

namespace {

/// Parts that decide where something is read and not what it is.
constexpr int kAside = 8;
/// Parts that decide whether something happens at all.
constexpr int kGuard = 6;

using Distances = std::map<std::string_view, int>;

bool covers(const Node &node, SourceRange range) {
  return node.range.file == range.file && node.range.begin <= range.begin &&
         range.end <= node.range.end;
}

/// The names of one function in the order of their distance from a place in it.
class FunctionOrigins {
public:
  FunctionOrigins(const ModuleIndex &index, const JitFunction &function)
      : m_index(index), m_function(function) {
    collect(function.def->body);
  }

  /// Begins at the expression at `place`.
  void beginAt(SourceRange place) {
    const Node *node = nullptr;
    std::vector<const Expr *> guards;
    descend(m_function.def->body, place, guards, node);
    for (const Expr *guard : guards)
      scan(*guard, kGuard);
    if (!node)
      return;
    if (auto *stmt = statementOf(place); stmt && stmt != node && !isCompound(*stmt))
      scan(*stmt, 3);
    if (!isCompound(*node))
      scan(*node, 0);
    else if (auto *branch = as<If>(node))
      scan(*branch->test, 0);
    else if (auto *loop = as<For>(node))
      scan(*loop->iter, 0);
    else if (auto *loop = as<While>(node))
      scan(*loop->test, 0);
  }

  bool hasVariable(std::string_view name) const { return m_definitions.contains(name); }
  /// Begins at all that a variable is set to.
  void beginAtVariable(std::string_view name) { m_waiting.push_back({name, 0, false}); }

  /// Begins at the arguments of the call of `callee` at `place` that its parameters at `inner`
  /// stand for.
  void beginAtCall(SourceRange place, const JitFunction &callee, const Distances &inner) {
    const Call *call = nullptr;
    for (const Stmt *stmt : m_function.def->body)
      walk(*stmt, [&](const Node &node) {
        if (auto *found = as<Call>(&node); found && covers(node, place))
          call = found;
        return covers(node, place);
      });
    auto *name = call ? as<Name>(call->func) : nullptr;
    bool isDirect = name && m_index.findFunction(name->id) == &callee;
    if (!isDirect)
      return beginAt(place);
    for (size_t i = 0; i < callee.parameters.size(); ++i) {
      const std::string &parameter = callee.parameters[i].name;
      const Expr *value = i < call->args.size() ? call->args[i] : nullptr;
      for (const Keyword *keyword : call->keywords)
        if (keyword->arg == parameter)
          value = keyword->value;
      if (auto found = inner.find(parameter); value && found != inner.end())
        scan(*value, found->second + 1);
    }
    std::vector<const Expr *> guards;
    const Node *node = nullptr;
    descend(m_function.def->body, place, guards, node);
    for (const Expr *guard : guards)
      scan(*guard, kGuard + 2);
  }

  /// The parameters reached.
  Distances finish() {
    Distances known;
    while (!m_waiting.empty()) {
      auto next = std::ranges::min_element(m_waiting, {}, &Waiting::distance);
      Waiting item = *next;
      m_waiting.erase(next);
      if (!known.emplace(item.name, item.distance).second)
        continue;
      auto found = m_definitions.find(item.name);
      if (found == m_definitions.end())
        continue;
      for (const Definition &definition : found->second) {
        int distance = item.distance + (definition.isStep && item.isAddress ? kAside : 1);
        scan(*definition.value, distance, item.isAddress);
        for (const Expr *guard : definition.guards)
          scan(*guard, item.distance + kGuard);
      }
    }
    Distances result;
    for (const ParameterInfo &parameter : m_function.parameters)
      if (auto found = known.find(parameter.name); found != known.end())
        result.emplace(parameter.name, found->second);
    return result;
  }

private:
  struct Definition {
    const Expr *value;
    /// Of the branches around it.
    std::vector<const Expr *> guards;
    /// `name += value`
    bool isStep = false;
  };
  struct Waiting {
    std::string_view name;
    int distance;
    bool isAddress;
  };

  static bool isStatement(const Node &node) {
    return isCompound(node) || as<Assign>(&node) || as<AugAssign>(&node) || as<AnnAssign>(&node) ||
           as<ExprStmt>(&node) || as<Return>(&node) || as<Assert>(&node);
  }
  static bool isCompound(const Node &node) {
    return as<If>(&node) || as<For>(&node) || as<While>(&node) || as<With>(&node);
  }

  void define(const Expr *target, const Expr *value, bool isStep = false) {
    if (auto *name = as<Name>(target)) {
      m_definitions[name->id].push_back({value, m_guards, isStep});
      return;
    }
    auto *targets = as<Tuple>(target);
    auto *values = as<Tuple>(value);
    bool isPaired = targets && values && targets->elts.size() == values->elts.size();
    for (size_t i = 0; targets && i < targets->elts.size(); ++i)
      define(targets->elts[i], isPaired ? values->elts[i] : value);
  }

  void collect(Seq<Stmt> body) {
    for (const Stmt *stmt : body) {
      if (auto *assign = as<Assign>(stmt)) {
        for (const Expr *target : assign->targets)
          define(target, assign->value);
      } else if (auto *annotated = as<AnnAssign>(stmt)) {
        if (annotated->value)
          define(annotated->target, annotated->value);
      } else if (auto *step = as<AugAssign>(stmt)) {
        define(step->target, step->value, true);
      } else if (auto *loop = as<For>(stmt)) {
        define(loop->target, loop->iter);
        collect(loop->body);
      } else if (auto *loop = as<While>(stmt)) {
        collect(loop->body);
      } else if (auto *branch = as<If>(stmt)) {
        m_guards.push_back(branch->test);
        collect(branch->body);
        collect(branch->orelse);
        m_guards.pop_back();
      }
    }
  }

  /// Down to the innermost node that covers `place`; `guards` are the tests of the branches on the
  /// way.
  void descend(Seq<Stmt> body, SourceRange place, std::vector<const Expr *> &guards,
               const Node *&innermost) const {
    for (const Stmt *stmt : body) {
      if (!covers(*stmt, place))
        continue;
      innermost = stmt;
      auto enter = [&](Seq<Stmt> inner) { descend(inner, place, guards, innermost); };
      if (auto *branch = as<If>(stmt); branch && !covers(*branch->test, place)) {
        guards.push_back(branch->test);
        enter(branch->body);
        enter(branch->orelse);
      } else if (auto *loop = as<For>(stmt); loop && !covers(*loop->iter, place)) {
        if (covers(*loop->target, place))
          innermost = loop->target;
        enter(loop->body);
      } else if (auto *loop = as<While>(stmt); loop && !covers(*loop->test, place)) {
        enter(loop->body);
      } else {
        walk(*stmt, [&](const Node &node) {
          if (!covers(node, place))
            return false;
          innermost = &node;
          return true;
        });
      }
    }
  }

  const Node *statementOf(SourceRange place) const {
    const Node *found = nullptr;
    for (const Stmt *stmt : m_function.def->body)
      walk(*stmt, [&](const Node &node) {
        if (!covers(node, place))
          return false;
        if (isStatement(node))
          found = &node;
        return true;
      });
    return found;
  }

  std::string languageCall(const Call &call) const {
    std::string path = m_index.resolve(*call.func);
    std::optional<std::string_view> member = languageMember(path);
    return member ? std::string(*member) : "";
  }

  void scanCall(const Call &call, int distance, bool isAddress) {
    const std::string name = languageCall(call);
    bool isLoad = name == "load" || name.starts_with("atomic_");
    // Of `p.to(...)`, `d.load(...)`
    if (auto *method = as<Attribute>(call.func); method && name.empty())
      scan(*method->value, distance, isAddress);
    for (size_t i = 0; i < call.args.size(); ++i) {
      bool isPointer = isLoad && i == 0;
      bool isCondition = (isLoad && i > 0) || (name == "where" && i == 0);
      scan(*call.args[i], distance + (isCondition ? kAside : 0), isPointer || isAddress);
    }
    for (const Keyword *keyword : call.keywords)
      scan(*keyword->value, distance + (keyword->arg == "mask" ? kAside : 0),
           (isLoad && keyword->arg == "pointer") || isAddress);
  }

  void scan(const Node &node, int distance, bool isAddress = false) {
    if (std::string_view name = m_function.nameMeantBy(node); !name.empty()) {
      m_waiting.push_back({name, distance, isAddress});
    } else if (auto *call = as<Call>(&node)) {
      scanCall(*call, distance, isAddress);
    } else if (auto *sum = as<BinOp>(&node); sum && isAddress) {
      scan(*sum->left, distance, true);
      scan(*sum->right, distance + kAside, true);
    } else if (auto *part = as<Subscript>(&node)) {
      scan(*part->value, distance, isAddress);
      scan(*part->slice, distance + kAside);
    } else if (auto *choice = as<IfExp>(&node)) {
      scan(*choice->test, distance + kGuard);
      scan(*choice->body, distance, isAddress);
      scan(*choice->orelse, distance, isAddress);
    } else {
      forEachChild(node, [&](const Node &child) { scan(child, distance, isAddress); });
    }
  }

  const ModuleIndex &m_index;
  const JitFunction &m_function;
  std::vector<const Expr *> m_guards;
  std::map<std::string_view, std::vector<Definition>> m_definitions;
  std::vector<Waiting> m_waiting;
};

const JitFunction *functionAt(const ModuleIndex &index, SourceRange place) {
  for (const JitFunction &function : index.functions)
    if (covers(*function.def, place))
      return &function;
  return nullptr;
}

} // namespace

std::vector<Origin> originsOf(const ModuleIndex &index, const JitFunction &kernel,
                              std::span<const SourceRange> places, std::string_view variable) {
  Distances reached;
  const JitFunction *inner = nullptr;
  // An error about a parameter itself.
  for (SourceRange place : places)
    for (const ParameterInfo &parameter : kernel.parameters)
      if (parameter.range.begin == place.begin)
        return {{parameter.name, 0}};
  for (SourceRange place : places) {
    const JitFunction *function = functionAt(index, place);
    if (!function)
      continue;
    FunctionOrigins origins(index, *function);
    if (inner && inner != function)
      origins.beginAtCall(place, *inner, reached);
    else if (!inner && origins.hasVariable(variable))
      origins.beginAtVariable(variable);
    else
      origins.beginAt(place);
    reached = origins.finish();
    inner = function;
  }
  std::vector<Origin> result;
  if (inner == &kernel)
    for (const ParameterInfo &parameter : kernel.parameters)
      if (auto found = reached.find(parameter.name); found != reached.end())
        result.push_back({parameter.name, found->second});
  std::ranges::stable_sort(result, {}, &Origin::distance);
  return result;
}

} // namespace tilescope::compiler::inference
