// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/IndexRange.h"

#include "compiler/syntax/ExpressionParts.h"

#include <algorithm>

namespace tilescope::compiler {

/// Names stand for code that has names.
static constexpr int kMaxDepth = 12;

std::optional<int64_t> KernelSizes::value(std::string_view name) const {
  for (const auto *known : {&arguments, &constexprs})
    if (const auto found = known->find(std::string(name)); found != known->end())
      return found->second;
  return std::nullopt;
}

static bool isNamed(const ast::Expr *expr, std::string_view name) {
  const auto *named = ast::as<ast::Name>(expr);
  return named && named->id == name;
}

/// The function that is called, without what it belongs to; empty for other code.
static std::string_view calledName(const ast::Node &node) {
  const auto *call = ast::as<ast::Call>(&node);
  if (!call)
    return {};
  if (const auto *attribute = ast::as<ast::Attribute>(call->func))
    return attribute->attr;
  const auto *name = ast::as<ast::Name>(call->func);
  return name ? name->id : std::string_view();
}

const ast::Expr *IndexReader::valueOf(const ast::Expr &expr) const {
  const auto *name = ast::as<ast::Name>(&expr);
  if (!name || m_budget-- <= 0)
    return nullptr;
  const ast::Expr *value = nullptr;
  int numChanges = 0;
  ast::walk(m_function, [&](const ast::Node &node) {
    if (const auto *assign = ast::as<ast::Assign>(&node)) {
      const bool isTarget = std::ranges::any_of(
          assign->targets, [&](const ast::Expr *each) { return isNamed(each, name->id); });
      numChanges += isTarget;
      if (isTarget && assign->range.end <= m_access)
        value = assign->value;
    } else if (const auto *update = ast::as<ast::AugAssign>(&node)) {
      numChanges += isNamed(update->target, name->id);
    } else if (const auto *loop = ast::as<ast::For>(&node)) {
      numChanges += isNamed(loop->target, name->id);
    }
    return true;
  });
  return numChanges == 1 ? value : nullptr;
}

const ast::Expr *IndexReader::lastValue(const ast::Expr &expr) const {
  const auto *axes = ast::as<ast::Subscript>(&expr);
  const ast::Expr *value = axes ? axes->value : &expr;
  const auto *name = ast::as<ast::Name>(value);
  if (name && m_budget-- > 0)
    ast::walk(m_function, [&](const ast::Node &node) {
      const auto *assign = ast::as<ast::Assign>(&node);
      if (assign && assign->targets.size() == 1 && isNamed(assign->targets.front(), name->id) &&
          assign->range.end <= m_access)
        value = assign->value;
      return true;
    });
  return value;
}

const ast::Expr *IndexReader::loopEnd(const ast::Expr &expr) const {
  const auto *sum = ast::as<ast::BinOp>(lastValue(expr));
  if (!sum || sum->op != ast::BinaryOpKind::Add)
    return nullptr;
  const bool isRangeLast = calledName(*lastValue(*sum->right)) == "arange";
  const ast::Expr *start = isRangeLast ? sum->left : sum->right;
  const auto *name = ast::as<ast::Name>(start);
  if (!name || calledName(*lastValue(isRangeLast ? *sum->right : *sum->left)) != "arange")
    return nullptr;
  const ast::Expr *end = nullptr;
  ast::walk(m_function, [&](const ast::Node &node) {
    const auto *loop = ast::as<ast::For>(&node);
    const bool isAround = loop && isNamed(loop->target, name->id) && loop->range.contains(m_access);
    const auto *range =
        isAround && calledName(*loop->iter) == "range" ? ast::as<ast::Call>(loop->iter) : nullptr;
    if (range && range->args.size() == 3)
      end = range->args[1];
    return true;
  });
  return end;
}

bool IndexReader::calls(const ast::Expr &expr, std::string_view function, int depth) const {
  bool found = false;
  ast::walk(expr, [&](const ast::Node &node) {
    found |= calledName(node) == function;
    const auto *name = ast::as<ast::Name>(&node);
    if (const ast::Expr *value = name && depth < kMaxDepth && !found ? valueOf(*name) : nullptr)
      found |= calls(*value, function, depth + 1);
    return !found;
  });
  return found;
}

bool IndexReader::hasAxis(const ast::Expr &expr, int depth) const {
  bool found = false;
  ast::walk(expr, [&](const ast::Node &node) {
    if (const auto *subscript = ast::as<ast::Subscript>(&node))
      found |= ast::is<ast::Tuple>(subscript->slice);
    found |= calledName(node) == "expand_dims";
    const auto *name = ast::as<ast::Name>(&node);
    if (!name || depth >= kMaxDepth || found || m_budget-- <= 0)
      return !found;
    // Also what is changed later is of one shape.
    ast::walk(m_function, [&](const ast::Node &other) {
      const auto *assign = ast::as<ast::Assign>(&other);
      if (assign && assign->targets.size() == 1 && isNamed(assign->targets.front(), name->id) &&
          assign->range.end <= m_access)
        found |= hasAxis(*assign->value, depth + 1);
      return !found;
    });
    return !found;
  });
  return found;
}

bool IndexReader::isBlockExtent(std::string_view name) const {
  bool found = false;
  ast::walk(m_function, [&](const ast::Node &node) {
    if (calledName(node) != "arange")
      return !found;
    for (const ast::Expr *argument : ast::as<ast::Call>(&node)->args)
      found |= ast::mentions(*argument, name);
    return !found;
  });
  return found;
}

static std::optional<IndexSpan> combined(ast::BinaryOpKind op, const IndexSpan &a,
                                         const IndexSpan &b) {
  using enum ast::BinaryOpKind;
  constexpr int64_t kLarge = int64_t{1} << 40;
  for (const IndexSpan &each : {a, b})
    if (each.first < -kLarge || each.last > kLarge)
      return std::nullopt;
  const bool isByOne = b.first == b.last;
  switch (op) {
  case Add:
    return IndexSpan{a.first + b.first, a.last + b.last};
  case Sub:
    return IndexSpan{a.first - b.last, a.last - b.first};
  case Mult:
    // What is large is large enough.
    if (a.first < 0 || b.first < 0 || (b.last > 0 && a.last > kLarge / b.last))
      return std::nullopt;
    return IndexSpan{a.first * b.first, a.last * b.last};
  case FloorDiv:
    if (!isByOne || b.first <= 0 || a.first < 0)
      return std::nullopt;
    return IndexSpan{a.first / b.first, a.last / b.first};
  case Mod:
    if (!isByOne || b.first <= 0 || a.first < 0)
      return std::nullopt;
    if (a.first == a.last)
      return IndexSpan{a.first % b.first, a.first % b.first};
    return IndexSpan{0, std::min(a.last, b.first - 1)};
  default:
    return std::nullopt;
  }
}

std::optional<IndexSpan> IndexReader::callRange(const ast::Call &call, int depth) const {
  const std::string_view name = calledName(call);
  const auto argument = [&](size_t i) {
    return i < call.args.size() ? range(*call.args[i], depth) : std::nullopt;
  };
  if (name == "program_id") {
    const ast::Expr *axis = !call.args.empty()       ? call.args.front()
                            : !call.keywords.empty() ? call.keywords.front()->value
                                                     : nullptr;
    const std::optional<IndexSpan> at = axis ? range(*axis, depth) : std::nullopt;
    if (!at || at->first != at->last || at->first < 0 || at->first > 2)
      return std::nullopt;
    const int64_t id = m_program[static_cast<size_t>(at->first)];
    return IndexSpan{id, id};
  }
  if (name == "arange") {
    const std::optional<IndexSpan> begin = argument(0), end = argument(1);
    return begin && end ? std::optional(IndexSpan{begin->first, end->last - 1}) : std::nullopt;
  }
  if (name == "cdiv") {
    const std::optional<IndexSpan> a = argument(0), b = argument(1);
    if (!a || !b || a->first < 0 || b->first <= 0 || b->first != b->last)
      return std::nullopt;
    return IndexSpan{(a->first + b->first - 1) / b->first, (a->last + b->first - 1) / b->first};
  }
  // A conversion, and what only says something about a value.
  const auto *method = ast::as<ast::Attribute>(call.func);
  if (name == "to" && method)
    return range(*method->value, depth);
  return name == "multiple_of" || name == "max_contiguous" ? argument(0) : std::nullopt;
}

/// `for i in range(n)`.
std::optional<IndexSpan> IndexReader::loopRange(const ast::Name &name, int depth) const {
  std::optional<IndexSpan> found;
  ast::walk(m_function, [&](const ast::Node &node) {
    const auto *loop = ast::as<ast::For>(&node);
    if (!loop || !isNamed(loop->target, name.id) || !loop->range.contains(m_access) ||
        calledName(*loop->iter) != "range")
      return true;
    const auto *call = ast::as<ast::Call>(loop->iter);
    const size_t numBounds = call->args.size();
    const std::optional<IndexSpan> begin =
        numBounds > 1 ? range(*call->args[0], depth) : IndexSpan{0, 0};
    const std::optional<IndexSpan> end =
        numBounds > 0 ? range(*call->args[numBounds > 1 ? 1 : 0], depth) : std::nullopt;
    if (begin && end && begin->first < end->last)
      found = {begin->first, end->last - 1};
    return true;
  });
  return found;
}

std::optional<IndexSpan> IndexReader::range(const ast::Expr &expr, int depth) const {
  if (depth > kMaxDepth)
    return std::nullopt;
  if (const auto *constant = ast::as<ast::Constant>(&expr))
    return constant->intValue ? std::optional(IndexSpan{*constant->intValue, *constant->intValue})
                              : std::nullopt;
  if (const auto *operation = ast::as<ast::BinOp>(&expr)) {
    const std::optional<IndexSpan> left = range(*operation->left, depth + 1);
    const std::optional<IndexSpan> right = range(*operation->right, depth + 1);
    return left && right ? combined(operation->op, *left, *right) : std::nullopt;
  }
  if (const auto *subscript = ast::as<ast::Subscript>(&expr))
    return ast::is<ast::Tuple>(subscript->slice) ? range(*subscript->value, depth + 1)
                                                 : std::nullopt;
  if (const auto *call = ast::as<ast::Call>(&expr))
    return callRange(*call, depth + 1);
  const auto *name = ast::as<ast::Name>(&expr);
  if (!name)
    return std::nullopt;
  if (const ast::Expr *value = valueOf(*name))
    return range(*value, depth + 1);
  if (const std::optional<IndexSpan> inLoop = loopRange(*name, depth + 1))
    return inLoop;
  const std::optional<int64_t> size = m_sizes.value(name->id);
  return size ? std::optional(IndexSpan{*size, *size}) : std::nullopt;
}

} // namespace tilescope::compiler
