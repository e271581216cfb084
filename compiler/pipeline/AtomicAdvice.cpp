// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/AtomicAdvice.h"

#include "compiler/syntax/Ast.h"

namespace tilescope::compiler {

/// The call of the language's function `name`; null for everything else.
static const ast::Call *callOf(const ast::Expr *expr, std::string_view name) {
  const auto *call = ast::as<ast::Call>(expr);
  const auto *function = call ? ast::as<ast::Attribute>(call->func) : nullptr;
  return function && function->attr == name && !call->args.empty() ? call : nullptr;
}

static const ast::Call *storeAt(const ast::SyntaxTree &tree, const SourceRange &range) {
  const ast::Call *found = nullptr;
  ast::walk(*tree.module, [&](const ast::Node &node) {
    const auto *call = ast::as<ast::Call>(&node);
    if (call && call->range.begin == range.begin && callOf(call, "store") && call->args.size() > 1)
      found = call;
    return !found;
  });
  return found;
}

/// The value that was assigned to a name last, above `before`; `expr` itself for everything else.
static const ast::Expr *assignedValue(const ast::SyntaxTree &tree, const ast::Expr *expr,
                                      const SourceRange &before) {
  const auto *name = ast::as<ast::Name>(expr);
  const ast::Expr *value = expr;
  if (!name)
    return value;
  ast::walk(*tree.module, [&](const ast::Node &node) {
    const auto *assign = ast::as<ast::Assign>(&node);
    const auto *target = assign ? ast::as<ast::Name>(assign->targets.front()) : nullptr;
    if (target && target->id == name->id && assign->range.begin < before.begin)
      value = assign->value;
    return true;
  });
  return value;
}

static MaskAdvice updateAdvice(const ast::SyntaxTree &tree, const ast::Call &store,
                               const ast::Expr &written) {
  const auto *sum = ast::as<ast::BinOp>(&written);
  using enum ast::BinaryOpKind;
  if (!sum || (sum->op != Add && sum->op != Sub))
    return {};
  const std::string_view place = tree.text(store.args[0]->range);
  const auto isOld = [&](const ast::Expr *side) {
    const ast::Call *load = callOf(assignedValue(tree, side, store.range), "load");
    return load && tree.text(load->args[0]->range) == place;
  };
  const ast::Expr *added = isOld(sum->left)                      ? sum->right
                           : sum->op == Add && isOld(sum->right) ? sum->left
                                                                 : nullptr;
  if (!added)
    return {};
  std::string value(tree.text(added->range));
  if (sum->op == Sub)
    value = "-(" + value + ")";
  const auto *function = ast::as<ast::Attribute>(store.func);
  std::string code = std::string(tree.text(function->value->range)) + ".atomic_add(" +
                     std::string(place) + ", " + value;
  for (const ast::Keyword *keyword : store.keywords)
    if (keyword->arg == "mask")
      code += ", " + std::string(tree.text(keyword->range));
  code += ")";
  return {"`" + code + "` keeps every update", {{store.range, code, "write `" + code + "`"}}, {}};
}

static bool callsAtomics(const ast::SyntaxTree &tree) {
  bool found = false;
  ast::walk(*tree.module, [&](const ast::Node &node) {
    const auto *access = ast::as<ast::Attribute>(&node);
    found |= access && access->attr.starts_with("atomic_");
    return !found;
  });
  return found;
}

/// The name that last got the program's number above `before`, else the call that asks for it.
static std::string programNumber(const ast::SyntaxTree &tree, const SourceRange &before,
                                 const std::string &language) {
  std::string number = language + ".program_id(0)";
  ast::walk(*tree.module, [&](const ast::Node &node) {
    const auto *assign = ast::as<ast::Assign>(&node);
    const auto *target = assign ? ast::as<ast::Name>(assign->targets.front()) : nullptr;
    const ast::Call *call = target ? callOf(assign->value, "program_id") : nullptr;
    const auto *axis = call ? ast::as<ast::Constant>(call->args.front()) : nullptr;
    // Of the same function: what lies between belongs to its body.
    if (axis && axis->intValue == 0 && assign->range.begin < before.begin)
      number = target->id;
    if (ast::is<ast::FunctionDef>(&node) && node.range.begin < before.begin)
      number = language + ".program_id(0)";
    return true;
  });
  return number;
}

namespace {
/// How the results of all programs become one.
struct Combination {
  std::string_view reduction;
  std::string_view atomic;
  std::string_view effect;
  /// What the place holds before the run.
  std::string_view begin;
};
} // namespace

static const Combination *combinationOf(const ast::Expr *written) {
  static constexpr Combination kCombinations[] = {
      {"sum", "atomic_add", "adds up what all programs have",
       "a sum begins with 0: `init = \"zeros\"`"},
      {"max", "atomic_max", "keeps the largest of all programs",
       "a maximum begins with a smaller number than any"},
      {"min", "atomic_min", "keeps the smallest of all programs",
       "a minimum begins with a larger number than any"}};
  const auto *call = ast::as<ast::Call>(written);
  const auto *function = call ? ast::as<ast::Attribute>(call->func) : nullptr;
  for (const Combination &each : kCombinations)
    if (function && function->attr == each.reduction)
      return &each;
  return nullptr;
}

/// All programs store to the one element that the argument is.
static MaskAdvice onePlaceAdvice(const ast::SyntaxTree &tree, const ast::Call &store,
                                 const ast::Expr &written, const InterpreterFinding &finding,
                                 const std::array<int32_t, 3> &grid) {
  const auto *place = ast::as<ast::Name>(store.args.front());
  if (!place || place->id != finding.argument || callsAtomics(tree) ||
      finding.kind != InterpreterFindingKind::WriteRace)
    return {};
  const auto *function = ast::as<ast::Attribute>(store.func);
  const std::string language(tree.text(function->value->range));
  const std::string value(tree.text(store.args[1]->range)), array(place->id);
  MaskAdvice advice;
  std::string code;
  if (finding.extent >= grid[0] && grid[1] == 1 && grid[2] == 1) {
    code = language + ".store(" + array + " + " + programNumber(tree, store.range, language) +
           ", " + value + ")";
    advice.text = "`" + code + "` gives each program an element of its own";
  } else if (const Combination *all = combinationOf(&written)) {
    code = language + "." + std::string(all->atomic) + "(" + array + ", " + value + ")";
    advice.text = "`" + code + "` " + std::string(all->effect);
    advice.notes.emplace_back(all->begin);
  } else {
    return {};
  }
  advice.fixes.push_back({store.range, code, "write `" + code + "`"});
  return advice;
}

MaskAdvice atomicAdvice(const ast::SyntaxTree &tree, const InterpreterFinding &finding,
                        const std::array<int32_t, 3> &grid) {
  const ast::Call *store = storeAt(tree, finding.range);
  const ast::Expr *written = store ? assignedValue(tree, store->args[1], store->range) : nullptr;
  if (!written)
    return {};
  MaskAdvice advice = updateAdvice(tree, *store, *written);
  return advice.fixes.empty() ? onePlaceAdvice(tree, *store, *written, finding, grid) : advice;
}

} // namespace tilescope::compiler
