// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/ElementAdvice.h"

#include "compiler/frontend/ConditionAdvice.h"
#include "compiler/frontend/NodeAt.h"
#include "compiler/frontend/Remedies.h"

#include <algorithm>

namespace tilescope::compiler::frontend {

namespace {
/// `name += element`, `name = name + element`, `name = max(name, element)`.
struct Reduction {
  std::string_view name;
  /// Of the language.
  std::string_view function;
  const ast::Expr *element = nullptr;
};
} // namespace

static bool isNamed(const ast::Expr *expr, std::string_view id) {
  const auto *name = expr ? ast::as<ast::Name>(expr) : nullptr;
  return name && name->id == id;
}

/// Of the two operands, the one beside `name`; null where neither is it.
static const ast::Expr *beside(std::string_view name, const ast::Expr *one,
                               const ast::Expr *other) {
  return isNamed(one, name) ? other : isNamed(other, name) ? one : nullptr;
}

static Reduction reductionIn(const ast::Stmt &statement) {
  if (const auto *update = ast::as<ast::AugAssign>(&statement)) {
    const auto *name = ast::as<ast::Name>(update->target);
    return name && update->op == ast::BinaryOpKind::Add ? Reduction{name->id, "sum", update->value}
                                                        : Reduction{};
  }
  const auto *assign = ast::as<ast::Assign>(&statement);
  const auto *name =
      assign && assign->targets.size() == 1 ? ast::as<ast::Name>(assign->targets.front()) : nullptr;
  if (!name)
    return {};
  const auto *sum = ast::as<ast::BinOp>(assign->value);
  if (sum && sum->op == ast::BinaryOpKind::Add)
    return {name->id, "sum", beside(name->id, sum->left, sum->right)};
  const auto *call = ast::as<ast::Call>(assign->value);
  if (!call || call->args.size() != 2)
    return {};
  const auto *access = ast::as<ast::Attribute>(call->func);
  const auto *plain = ast::as<ast::Name>(call->func);
  const std::string_view callee = access ? access->attr : plain ? plain->id : "";
  const std::string_view function = callee == "max" || callee == "maximum"   ? "max"
                                    : callee == "min" || callee == "minimum" ? "min"
                                                                             : "";
  return {name->id, function, beside(name->id, call->args[0], call->args[1])};
}

std::optional<LoopAdvice> reductionInstead(const Emitter &emitter, const Frame &frame,
                                           const ast::For &loop, const ast::Expr &element,
                                           std::string_view block) {
  const SourceRange whole = emitter.fileRange(loop.range);
  for (const ast::Stmt *statement : loop.body) {
    const Reduction reduction = reductionIn(*statement);
    if (!reduction.element || reduction.function.empty() ||
        reduction.element->range != element.range)
      continue;
    const std::string name(reduction.name), function(reduction.function);
    const std::string all = "tl." + function + "(" + std::string(block) + ", axis=0)";
    const std::string code = function == "sum"
                                 ? name + " += " + all
                                 : name + " = " + function + "(" + name + ", " + all + ")";
    LoopAdvice advice{"a block needs no loop: `" + code + "`", {}};
    const bool isAll = loop.body.size() == 1 && !sourceText(frame, whole).empty();
    if (isAll && hasLanguageName(frame))
      advice.fixes.push_back({whole, code, "write `" + code + "` instead of the loop"});
    return advice;
  }
  return std::nullopt;
}

/// The innermost loop around a place; null where there is none.
static const ast::For *loopAround(const ast::FunctionDef &function, const SourceRange &range) {
  const ast::For *found = nullptr;
  for (const ast::Stmt *statement : function.body)
    ast::walk(*statement, [&](const ast::Node &node) {
      const auto *loop = ast::as<ast::For>(&node);
      if (loop && loop->range.begin <= range.begin && range.end <= loop->range.end)
        found = loop;
      return true;
    });
  return found;
}

/// `a[i - 1]`: an element beside another one.
static bool isNeighbor(const ast::Expr &part) {
  const auto *sum = ast::as<ast::BinOp>(&part);
  return sum && (sum->op == ast::BinaryOpKind::Add || sum->op == ast::BinaryOpKind::Sub);
}

bool isElementCondition(const Frame &frame, const ast::Expr &part) {
  if (ast::is<ast::Compare>(&part) || ast::is<ast::BoolOp>(&part))
    return true;
  if (const auto *name = ast::as<ast::Name>(&part)) {
    const Value *value = frame.locals.find(name->id);
    const Tensor *tensor = value ? value->tensor() : nullptr;
    return tensor && tensor->isBlock() && tensor->dtype() == DType::Int1;
  }
  if (const auto *operation = ast::as<ast::UnaryOp>(&part))
    return operation->op == ast::UnaryOpKind::Not || isElementCondition(frame, *operation->operand);
  const auto *both = ast::as<ast::BinOp>(&part);
  return both && (both->op == ast::BinaryOpKind::BitAnd || both->op == ast::BinaryOpKind::BitOr) &&
         isElementCondition(frame, *both->left);
}

namespace {
/// What is done with elements that a condition picks, as far as the code shows it.
struct PickedUse {
  /// `sum`, `max`, `min`, `mean`, `len`; empty: something else.
  std::string_view function;
  /// The whole of `len(v[c])` or `v[c].mean()`.
  const ast::Call *call = nullptr;
};
} // namespace

static PickedUse useOf(const Frame &frame, const ast::Subscript &picked) {
  static constexpr std::string_view kKnown[] = {"sum", "max", "min", "mean", "len"};
  PickedUse use;
  for (const ast::Stmt *statement : frame.function->body)
    ast::walk(*statement, [&](const ast::Node &node) {
      const auto *call = ast::as<ast::Call>(&node);
      if (!call)
        return true;
      const auto *name = ast::as<ast::Name>(call->func);
      const auto *member = ast::as<ast::Attribute>(call->func);
      const bool isArgument = !call->args.empty() && call->args.front() == &picked;
      const bool isObject = member && member->value == &picked;
      const std::string_view function = name ? name->id : member ? member->attr : "";
      if ((isArgument || isObject) &&
          std::ranges::find(kKnown, function) != std::ranges::end(kKnown))
        use = {function, call};
      return true;
    });
  return use;
}

/// What takes the place of elements that the condition leaves out; empty: no number does.
static std::string neutralOf(const Frame &frame, std::string_view block,
                             std::string_view function) {
  const Value *value = frame.locals.find(block);
  const bool isReal = value && value->tensor() && isFloating(value->tensor()->dtype());
  if (function == "max" || function == "min")
    return !isReal ? "" : function == "max" ? "float(\"-inf\")" : "float(\"inf\")";
  return function == "mean" || function == "len" ? "" : "0";
}

/// Of elements of a block that a condition picks.
static void advisePicked(Emitter &emitter, const ast::Subscript &whole, Diagnostic &diagnostic) {
  const Frame &frame = emitter.frame();
  const std::string block(ast::as<ast::Name>(whole.value)->id);
  const std::string condition = elementwiseCondition(emitter, frame, diagnostic.range);
  const PickedUse use = useOf(frame, whole);
  const std::string neutral = neutralOf(frame, block, use.function);
  const bool isWritten = !condition.empty() && hasLanguageName(frame);
  const std::string count = "tl.sum((" + condition + ").to(tl.int32), axis=0)";
  const std::string sum = "tl.sum(tl.where(" + condition + ", " + block + ", 0), axis=0)";
  std::string code = "tl.where(" + condition + ", " + block + ", " + neutral + ")";
  SourceRange replaced = emitter.fileRange(whole.range);
  std::string note = "`" + (condition.empty() ? "tl.where(…)" : code) + "` is " + neutral +
                     " where it does not hold";
  if (neutral.empty()) {
    code = use.function == "len" ? count : sum + " / " + count;
    replaced = emitter.fileRange(use.call->range);
    note = "`" + code + "` " +
           (use.function == "len" ? "counts those for which it holds"
                                  : "is the mean of those for which it holds");
  }
  const bool isKnown = use.function != "max" && use.function != "min";
  if (neutral.empty() && !isKnown)
    note = "`tl.where(condition, " + block +
           ", other)` takes all of them, with an `other` that is never the " +
           (use.function == "max" ? "largest" : "smallest");
  diagnostic.notes.push_back("a condition picks no elements of a block, whose size is fixed: " +
                             note);
  if (isWritten && (!neutral.empty() || isKnown))
    diagnostic.fixes = rewriteFix(frame, replaced, replaced, code);
}

/// `::-1`
static bool isTurned(const ast::Expr &part) {
  const auto *slice = ast::as<ast::Slice>(&part);
  const auto *minus = slice && !slice->lower && !slice->upper && slice->step
                          ? ast::as<ast::UnaryOp>(slice->step)
                          : nullptr;
  const auto *one = minus && minus->op == ast::UnaryOpKind::USub
                        ? ast::as<ast::Constant>(minus->operand)
                        : nullptr;
  return one && one->intValue == 1;
}

/// The axis that a part of an index is about.
static size_t partNumber(const ast::Subscript &whole, const ast::Expr &part) {
  const auto *parts = ast::as<ast::Tuple>(whole.slice);
  return parts ? static_cast<size_t>(std::ranges::find(parts->elts, &part) - parts->elts.begin())
               : 0;
}

/// Of a block whose elements are wanted in the other order.
static void adviseTurned(Emitter &emitter, const ast::Subscript &whole, const ast::Expr &part,
                         Diagnostic &diagnostic) {
  const Frame &frame = emitter.frame();
  const std::string block(sourceText(frame, emitter.fileRange(whole.value->range)));
  const std::string code =
      "tl.flip(" + block + ", " + std::to_string(partNumber(whole, part)) + ")";
  diagnostic.notes.push_back("`" + code + "` has the elements in the other order");
  const SourceRange range = emitter.fileRange(whole.range);
  if (hasLanguageName(frame) && !block.empty())
    diagnostic.fixes = rewriteFix(frame, range, range, code);
}

void failElement(Emitter &emitter, const ast::Expr &part) {
  const Frame &frame = emitter.frame();
  const auto *whole =
      frame.function ? nodeAt<ast::Subscript>(*frame.function, emitter.currentRange()) : nullptr;
  const auto *block = whole ? ast::as<ast::Name>(whole->value) : nullptr;
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::BadArgument;
  diagnostic.range = emitter.fileRange(part.range);
  Message("unsupported tensor index: {} is a block, and only `:` and `None` index it",
          block ? "`" + std::string(block->id) + "`" : std::string("it"))
      .needs(Need::Rank)
      .writeTo(diagnostic);
  const ast::For *loop = block ? loopAround(*frame.function, whole->range) : nullptr;
  if (std::optional<LoopAdvice> advice =
          loop ? reductionInstead(emitter, frame, *loop, *whole, block->id) : std::nullopt) {
    diagnostic.notes.push_back(std::move(advice->note));
    diagnostic.fixes = std::move(advice->fixes);
    throw Failure{std::move(diagnostic)};
  }
  if (whole && isTurned(part)) {
    adviseTurned(emitter, *whole, part, diagnostic);
    throw Failure{std::move(diagnostic)};
  }
  if (block && isElementCondition(frame, part)) {
    advisePicked(emitter, *whole, diagnostic);
    throw Failure{std::move(diagnostic)};
  }
  diagnostic.notes.push_back("elements of a block cannot be picked by number; use masks, "
                             "`tl.gather`, or load just the part you need");
  if (isNeighbor(part))
    diagnostic.notes.push_back("neighbors of elements are loaded as blocks of their own: "
                               "`tl.load(x_ptr + i - 1, mask=i > 0)`");
  throw Failure{std::move(diagnostic)};
}

void failNumber(Emitter &emitter, const Tensor &number) {
  const Frame &frame = emitter.frame();
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::TypeMismatch;
  diagnostic.range = emitter.currentRange();
  Message("`{}` is not subscriptable: a scalar has no elements", number.type)
      .needs(Need::Sequence)
      .writeTo(diagnostic);
  const auto *whole =
      frame.function ? nodeAt<ast::Subscript>(*frame.function, diagnostic.range) : nullptr;
  const auto *name = whole ? ast::as<ast::Name>(whole->value) : nullptr;
  const bool isShown = name && !sourceText(frame, diagnostic.range).empty();
  const std::optional<SourceRange> value =
      isShown ? launchBlockValue(*frame.module->tree, name->id) : std::nullopt;
  if (!value)
    throw Failure{std::move(diagnostic)};
  const std::string id(name->id), text(sourceText(frame, *value));
  diagnostic.notes.push_back("the launch block makes `" + id + "` a number, `" + id + " = " + text +
                             "` in line " + std::to_string(value->begin.line + 1));
  static constexpr std::string_view kArray =
      "{ dtype = \"fp32\", shape = [1024], init = \"randn\" }";
  diagnostic.fixes = {{*value, std::string(kArray),
                       "make `" + id + "` an array: write `" + id + " = " + std::string(kArray) +
                           "` in line " + std::to_string(value->begin.line + 1)}};
  throw Failure{std::move(diagnostic)};
}

} // namespace tilescope::compiler::frontend
