// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/AtomicAdvice.h"

#include "compiler/artifacts/UntriedFixes.h"
#include "compiler/syntax/AccessArguments.h"
#include "compiler/syntax/Ast.h"
#include "compiler/syntax/IndexMasks.h"
#include "compiler/syntax/NameBinding.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

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

namespace {
/// What is stored: a place's old value and what is combined with it.
struct Update {
  std::string_view atomic;
  const ast::Expr *operand = nullptr;
  bool isSubtracted = false;
  /// Where the old value is loaded, and where the two are combined.
  SourceRange loaded;
  SourceRange combined;
};
} // namespace

static std::string_view atomicOf(ast::BinaryOpKind op) {
  using enum ast::BinaryOpKind;
  switch (op) {
  case Add:
  case Sub:
    return "atomic_add";
  case BitAnd:
    return "atomic_and";
  case BitOr:
    return "atomic_or";
  case BitXor:
    return "atomic_xor";
  default:
    return {};
  }
}

/// The value that was assigned to a name last, above `before`; `expr` itself for everything else.
static const ast::Expr *assignedValue(const ast::SyntaxTree &tree, const ast::Expr *expr,
                                      const SourceRange &before) {
  const auto *name = ast::as<ast::Name>(expr);
  const std::optional<ast::NameBinding> last =
      name ? ast::lastBinding(tree, name->id, before) : std::nullopt;
  return last && !last->op ? last->value : expr;
}

/// The load from `place` that an expression is, or that its name stands for above `before`.
static const ast::Call *oldValue(const ast::SyntaxTree &tree, const ast::Expr *expr,
                                 const SourceRange &before, std::string_view place) {
  const ast::Call *load = callOf(assignedValue(tree, expr, before), "load");
  return load && tree.text(load->args[0]->range) == place ? load : nullptr;
}

/// The two sides of what is combined; either may be the old value where the order does not matter.
static std::optional<Update> updateOf(const ast::SyntaxTree &tree, const ast::Expr *left,
                                      const ast::Expr *right, const SourceRange &combined,
                                      std::string_view place, bool isSubtracted) {
  if (const ast::Call *load = oldValue(tree, left, combined, place))
    return Update{{}, right, isSubtracted, load->range, combined};
  const ast::Call *load = isSubtracted ? nullptr : oldValue(tree, right, combined, place);
  return load ? std::optional(Update{{}, left, false, load->range, combined}) : std::nullopt;
}

/// `atomic_max` for `tl.maximum(…)` and `max(…)` of two values.
static std::string_view extremumOf(const ast::Call &call) {
  const auto *method = ast::as<ast::Attribute>(call.func);
  const auto *function = ast::as<ast::Name>(call.func);
  const std::string_view name = method ? method->attr : function ? function->id : "";
  if (call.args.size() != 2 || !call.keywords.empty())
    return {};
  return name == "maximum" || (function && name == "max")   ? "atomic_max"
         : name == "minimum" || (function && name == "min") ? "atomic_min"
                                                            : "";
}

static std::optional<Update> updateIn(const ast::SyntaxTree &tree, const ast::Call &store) {
  const std::string_view place = tree.text(store.args[0]->range);
  const ast::Expr *written = store.args[1];
  SourceRange at = store.range;
  std::optional<Update> update;
  std::string_view atomic;
  if (const auto *name = ast::as<ast::Name>(written))
    if (const std::optional<ast::NameBinding> last = ast::lastBinding(tree, name->id, at)) {
      at = last->range;
      if (last->op) {
        atomic = atomicOf(*last->op);
        update = updateOf(tree, name, last->value, at, place, last->op == ast::BinaryOpKind::Sub);
      }
      written = last->value;
    }
  if (const auto *sum = ast::as<ast::BinOp>(written); sum && !update) {
    atomic = atomicOf(sum->op);
    update = updateOf(tree, sum->left, sum->right, at, place, sum->op == ast::BinaryOpKind::Sub);
  } else if (const auto *call = ast::as<ast::Call>(written); call && !update) {
    atomic = extremumOf(*call);
    if (!atomic.empty())
      update = updateOf(tree, call->args[0], call->args[1], at, place, false);
  }
  if (!update || atomic.empty())
    return std::nullopt;
  update->atomic = atomic;
  return update;
}

/// Whether a loop repeats some of the places and not the others, or a branch leaves the update out: then the store has
/// several updates, or now and then none.
static bool areRepeatedApart(const ast::SyntaxTree &tree,
                             const std::array<SourceRange, 3> &places) {
  bool found = false;
  ast::walk(*tree.module, [&](const ast::Node &node) {
    const bool isLoop = ast::is<ast::For>(&node) || ast::is<ast::While>(&node);
    if (!isLoop && !ast::is<ast::If>(&node))
      return !found;
    const auto holds = [&](const SourceRange &place) {
      return node.range.begin <= place.begin && place.end <= node.range.end;
    };
    const auto numIn = std::ranges::count_if(places, holds);
    found |= numIn != 0 && numIn != std::ssize(places) && (isLoop || !holds(places.back()));
    return !found;
  });
  return found;
}

/// The mask that an update needs: the store's, else that of its index. Nothing: that is not known.
static std::optional<std::string> maskOfUpdate(const ast::SyntaxTree &tree,
                                               const ast::Call &store) {
  if (const ast::Expr *written = maskOf(store))
    return std::string(tree.text(written->range));
  const IndexMasks found = masksOfIndex(tree, *store.args[0], store.range);
  if (found.haveOtherAxes)
    return std::nullopt;
  return found.masks.size() == 1 ? std::string(*found.masks.begin()) : std::string();
}

static MaskAdvice updateAdvice(const ast::SyntaxTree &tree, const ast::Call &store,
                               const InterpreterFinding &finding) {
  const std::optional<Update> update = updateIn(tree, store);
  // What reads other elements than it updates reads them before or after the update, whatever makes that one whole.
  if (update && finding.isWithRead && finding.otherRange && *finding.otherRange != update->loaded)
    return {};
  if (!update || areRepeatedApart(tree, {update->loaded, update->combined, store.range}))
    return {};
  // `x += tl.load(p)`: afterwards `x` is no longer what is added. `p += 1`: another place.
  if (!ast::isUnchanged(tree, *update->operand, update->combined, store.range) ||
      !ast::isUnchanged(tree, *store.args[0], update->loaded, store.range))
    return {};
  const std::optional<std::string> mask = maskOfUpdate(tree, store);
  if (!mask)
    return {};
  std::string value(tree.text(update->operand->range));
  if (update->isSubtracted)
    value = "-(" + value + ")";
  const auto *function = ast::as<ast::Attribute>(store.func);
  std::string code = std::string(tree.text(function->value->range)) + "." +
                     std::string(update->atomic) + "(" +
                     std::string(tree.text(store.args[0]->range)) + ", " + value;
  code += mask->empty() ? ")" : ", mask=" + *mask + ")";
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
       "a sum begins with 0: `init = \"zeros\"` in the launch block, if it is not there yet"},
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

/// What is to be decided before anything is changed.
static std::string whyNoFix(const ast::SyntaxTree &tree, const ast::Call &store,
                            const InterpreterFinding &finding) {
  // An atomic operation would take it twice.
  if (updateIn(tree, store))
    return std::string(kStoresLoaded);
  return finding.isWithinProgram
             ? std::string(kElementsMeant)
             : programsMeant(
                   std::string(tree.text(ast::as<ast::Attribute>(store.func)->value->range)));
}

/// The statement that is this expression, or assigns it, in a line of its own; nothing for others.
static std::optional<SourceRange> statementOf(const ast::SyntaxTree &tree,
                                              const SourceRange &range) {
  std::optional<SourceRange> found;
  ast::walk(*tree.module, [&](const ast::Node &node) {
    const bool isStatement = ast::is<ast::ExprStmt>(&node) || ast::is<ast::Assign>(&node);
    if (isStatement && node.range.begin <= range.begin && range.end <= node.range.end)
      found = node.range;
    return true;
  });
  if (!found)
    return std::nullopt;
  SourceRange before = *found;
  before.begin.column = 0;
  before.end = found->begin;
  const std::string_view line = tree.text(before);
  return line.find_first_not_of(" \t") == std::string_view::npos ? found : std::nullopt;
}

/// A barrier in front of the later of a load and a store of one program, where no others change what it loads.
static void addBarrier(const ast::SyntaxTree &tree, const ast::Call &store,
                       const InterpreterFinding &finding,
                       const std::vector<InterpreterFinding> &all, MaskAdvice &advice) {
  const bool hasOthers = std::ranges::any_of(all, [&](const InterpreterFinding &each) {
    return !each.isWithinProgram && each.kind == InterpreterFindingKind::WriteRace &&
           each.argument == finding.argument;
  });
  const bool isLast = finding.otherRange && finding.otherRange->file == 0 &&
                      finding.otherRange->end <= store.range.begin;
  const std::optional<SourceRange> statement =
      isLast && !hasOthers && finding.isWithinProgram && finding.isWithRead
          ? statementOf(tree, store.range)
          : std::nullopt;
  if (!statement)
    return;
  const auto *function = ast::as<ast::Attribute>(store.func);
  const std::string code = std::string(tree.text(function->value->range)) + ".debug_barrier()";
  const std::string indent(statement->begin.column, ' ');
  SourceRange at = *statement;
  at.end = at.begin;
  advice.fixes.push_back(
      {at, code + "\n" + indent,
       "write `" + code + "` in front of line " + std::to_string(statement->begin.line + 1)});
}

MaskAdvice atomicAdvice(const ast::SyntaxTree &tree, const InterpreterFinding &finding,
                        const std::vector<InterpreterFinding> &all,
                        const std::array<int32_t, 3> &grid) {
  const ast::Call *store = storeAt(tree, finding.range);
  const ast::Expr *written = store ? assignedValue(tree, store->args[1], store->range) : nullptr;
  if (!written)
    return {};
  MaskAdvice advice = updateAdvice(tree, *store, finding);
  if (advice.fixes.empty())
    advice = onePlaceAdvice(tree, *store, *written, finding, grid);
  if (advice.fixes.empty())
    addBarrier(tree, *store, finding, all, advice);
  // Programs that write past the rows they mean race there: what is said of that cures both.
  const bool isOutside = std::ranges::any_of(all, [&](const InterpreterFinding &each) {
    return each.kind == InterpreterFindingKind::OutOfBoundsStore && each.range == finding.range;
  });
  // Of a pair the message itself says what orders it.
  if (advice.fixes.empty() && !finding.otherRange && !isOutside)
    advice.notes.push_back(whyNoFix(tree, *store, finding));
  return advice;
}

} // namespace tilescope::compiler
