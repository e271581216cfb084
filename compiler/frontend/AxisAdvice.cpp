// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/AxisAdvice.h"

#include "compiler/frontend/BlockAdvice.h"
#include "compiler/frontend/LastAssignment.h"
#include "compiler/frontend/Remedies.h"
#include "compiler/syntax/VectorAxes.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace tilescope::compiler::frontend {

static bool isVector(const Frame &frame, const ast::Name &name) {
  const Value *value = frame.locals.find(name.id);
  const Tensor *tensor = value ? value->tensor() : nullptr;
  return tensor && tensor->type.shape.size() == 1 && !tensor->type.isPointer();
}

/// The blocks with one axis in an expression.
static std::vector<const ast::Name *> vectorsIn(const Frame &frame, const ast::Expr &expr) {
  std::vector<const ast::Name *> names;
  ast::walk(expr, [&](const ast::Node &node) {
    const auto *name = ast::as<ast::Name>(&node);
    if (name && isVector(frame, *name))
      names.push_back(name);
    // What is between the brackets of a call says nothing about what it returns.
    return !ast::is<ast::Call>(&node) && !ast::is<ast::Subscript>(&node);
  });
  return names;
}

/// The code of an operand whose only block, a name of `names`, gets an index; empty where it has several, or
/// none.
static std::string indexed(const Emitter &emitter, const Frame &frame, const ast::Expr &operand,
                           const std::vector<const ast::Name *> &names, std::string_view index) {
  const std::string_view text = sourceText(frame, emitter.fileRange(operand.range));
  if (names.size() != 1 || text.empty())
    return {};
  const std::string_view own = sourceText(frame, emitter.fileRange(names.front()->range));
  std::string code(text);
  return code.insert(static_cast<size_t>(own.data() - text.data()) + own.size(), index);
}

namespace {
/// Both operands with the axes that they lack; empty where that is not told.
struct Indexed {
  std::string left, right;
};
} // namespace

static std::optional<Indexed> indexedBoth(const Emitter &emitter, const Frame &frame,
                                          const ast::Expr &left, const ast::Expr &right) {
  if (!frame.function)
    return std::nullopt;
  const auto first = vectorsIn(frame, left), second = vectorsIn(frame, right);
  if (first.size() != 1 || second.size() != 1)
    return std::nullopt;
  using enum ast::VectorAxis;
  const bool isDown = ast::runsDown(*frame.function, first[0]->id, second[0]->id);
  Indexed both{indexed(emitter, frame, left, first, ast::indexOf(isDown ? Down : Right)),
               indexed(emitter, frame, right, second, ast::indexOf(isDown ? Right : Down))};
  return both.left.empty() || both.right.empty() ? std::nullopt : std::optional(std::move(both));
}

static void adviseAxes(Diagnostic &diagnostic, const Frame &frame, const SourceRange &whole,
                       std::string code) {
  diagnostic.notes.push_back("rows go down and columns go right: `" + code +
                             "` has an element for each pair of them");
  diagnostic.fixes = rewriteFix(frame, whole, whole, std::move(code));
}

void explainAxes(Diagnostic &diagnostic, const Emitter &emitter, const Frame &frame,
                 const ast::BinOp &operation) {
  const auto both = indexedBoth(emitter, frame, *operation.left, *operation.right);
  const SourceRange whole = emitter.fileRange(operation.range);
  const std::string_view text = sourceText(frame, whole);
  if (!both || text.empty())
    return;
  const std::string_view first = sourceText(frame, emitter.fileRange(operation.left->range));
  const std::string_view second = sourceText(frame, emitter.fileRange(operation.right->range));
  std::string code(text);
  code.replace(static_cast<size_t>(second.data() - text.data()), second.size(), both->right);
  code.replace(static_cast<size_t>(first.data() - text.data()), first.size(), both->left);
  adviseAxes(diagnostic, frame, whole, std::move(code));
}

void explainAxes(Diagnostic &diagnostic, const Emitter &emitter, const Frame &frame,
                 const ast::BoolOp &operation) {
  if (operation.values.size() != 2)
    return;
  const auto both = indexedBoth(emitter, frame, *operation.values[0], *operation.values[1]);
  // What binds elements by elements binds tighter than comparisons.
  const char *sign = operation.op == ast::BoolOpKind::And ? ") & (" : ") | (";
  if (both)
    adviseAxes(diagnostic, frame, emitter.fileRange(operation.range),
               "(" + both->left + sign + both->right + ")");
}

void explainRows(Diagnostic &diagnostic, const Emitter &emitter, const Frame &frame,
                 const ast::BinOp &operation, const Value &left, const Value &right) {
  const Tensor *one = left.tensor(), *other = right.tensor();
  if (!one || !other || one->type.isPointer() || other->type.isPointer())
    return;
  const bool isLeft = one->type.shape.size() == 1;
  const Shape &vector = (isLeft ? one : other)->type.shape;
  const Shape &matrix = (isLeft ? other : one)->type.shape;
  if (vector.size() != 1 || matrix.size() != 2 || vector[0] != matrix[0])
    return;
  const SourceRange place = emitter.fileRange((isLeft ? operation.left : operation.right)->range);
  const std::string_view text = sourceText(frame, place);
  if (text.empty() || text.find_first_of("\n#") != text.npos)
    return;
  std::string code = asFactor(text) + "[:, None]";
  diagnostic.notes.push_back(
      "`" + std::string(text) + "` has an element for each row: `" + code +
      "` makes it a column, which is combined with each column of the other");
  diagnostic.fixes = rewriteFix(frame, place, place, std::move(code));
}

/// Whether blocks of these shapes, each of two dimensions, can be combined.
static bool fit(const Shape &one, const Shape &other) {
  return std::ranges::equal(one, other,
                            [](int64_t a, int64_t b) { return a == b || a == 1 || b == 1; });
}

/// The vector of `x[:, None]` or `x[None, :]`; null: it is none of them.
static const ast::Expr *turnedVector(const ast::Expr &operand) {
  const auto *part = ast::as<ast::Subscript>(&operand);
  const auto *indices = part ? ast::as<ast::Tuple>(part->slice) : nullptr;
  if (!indices || indices->elts.size() != 2)
    return nullptr;
  const auto isNone = [](const ast::Expr *index) {
    const auto *constant = ast::as<ast::Constant>(index);
    return constant && constant->constantKind == ast::ConstantKind::None;
  };
  const auto isWhole = [](const ast::Expr *index) {
    const auto *slice = ast::as<ast::Slice>(index);
    return slice && !slice->lower && !slice->upper && !slice->step;
  };
  const ast::Expr *first = indices->elts[0], *second = indices->elts[1];
  return (isNone(first) && isWhole(second)) || (isWhole(first) && isNone(second)) ? part->value
                                                                                  : nullptr;
}

void explainTurned(Diagnostic &diagnostic, const Emitter &emitter, const Frame &frame,
                   const ast::BinOp &operation, const Value &left, const Value &right) {
  const Tensor *blocks[] = {left.tensor(), right.tensor()};
  const ast::Expr *operands[] = {operation.left, operation.right};
  std::vector<DiagnosticFix> fixes;
  std::string note;
  for (const size_t i : {0, 1}) {
    const Tensor *turned = blocks[i], *other = blocks[1 - i];
    const ast::Expr *vector = turnedVector(*operands[i]);
    if (!vector || !turned || !other || turned->type.shape.size() != 2 ||
        other->type.shape.size() != 2)
      continue;
    const Shape &shape = turned->type.shape;
    const std::string text(sourceText(frame, emitter.fileRange(vector->range)));
    if (text.empty() || !fit(Shape{shape[1], shape[0]}, other->type.shape))
      continue;
    const bool isColumn = shape[1] == 1;
    const std::string code = text + (isColumn ? "[None, :]" : "[:, None]");
    const SourceRange place = emitter.fileRange(operands[i]->range);
    note = "`" + code + "` is a " + (isColumn ? "row" : "column") + " and fits";
    std::ranges::move(rewriteFix(frame, place, place, code), std::back_inserter(fixes));
  }
  // Of two that could be turned, either may be meant.
  if (fixes.size() != 1)
    return;
  diagnostic.notes.push_back(std::move(note));
  diagnostic.fixes = std::move(fixes);
}

std::vector<std::string> matrixNotes(const Frame &frame, std::string_view name) {
  const ast::Assign *loaded = nullptr;
  if (frame.function)
    forEachAssignment(frame, name, [&](const ast::Assign &assign) { loaded = &assign; });
  const auto *call = loaded ? ast::as<ast::Call>(loaded->value) : nullptr;
  const auto *callee = call ? ast::as<ast::Attribute>(call->func) : nullptr;
  if (!callee || callee->attr != "load" || call->args.empty())
    return {};
  std::vector<std::string> names;
  for (const ast::Name *part : vectorsIn(frame, *call->args.front()))
    if (std::ranges::find(names, part->id) == names.end())
      names.emplace_back(part->id);
  if (names.size() != 2)
    return {};
  if (!ast::runsDown(*frame.function, names[0], names[1]))
    std::swap(names[0], names[1]);
  return {"a block with rows and columns is loaded at `" + names[0] + "[:, None]` and `" +
          names[1] + "[None, :]`"};
}

} // namespace tilescope::compiler::frontend
