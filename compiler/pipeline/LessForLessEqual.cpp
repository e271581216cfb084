// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/LessForLessEqual.h"

#include "compiler/pipeline/AccessCalls.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace tilescope::compiler {

/// The conditions that all must hold where a mask does, through `&` and names.
static void collectConditions(const ast::SyntaxTree &tree, const ast::Call &access,
                              const ast::Expr &mask, int depth,
                              std::vector<const ast::Compare *> &conditions) {
  constexpr int kDeepest = 8;
  if (depth > kDeepest)
    return;
  const auto add = [&](const ast::Expr &part) {
    collectConditions(tree, access, part, depth + 1, conditions);
  };
  if (const auto *compare = ast::as<ast::Compare>(&mask)) {
    if (std::ranges::find(conditions, compare) == conditions.end())
      conditions.push_back(compare);
  } else if (const auto *both = ast::as<ast::BinOp>(&mask)) {
    if (both->op == ast::BinaryOpKind::BitAnd) {
      add(*both->left);
      add(*both->right);
    }
  } else if (const auto *all = ast::as<ast::BoolOp>(&mask)) {
    if (all->op == ast::BoolOpKind::And)
      for (const ast::Expr *each : all->values)
        add(*each);
  } else if (const auto *part = ast::as<ast::Subscript>(&mask)) {
    add(*part->value);
  } else if (ast::is<ast::Name>(&mask)) {
    const ast::Expr *value = nullptr;
    for (const ast::Assign *assign : assignmentsOf(tree, access, mask))
      if (assign->range.begin < access.range.begin)
        value = assign->value;
    if (value)
      add(*value);
  }
}

namespace {
/// `i <= n` or `n >= i`.
struct Inclusive {
  const ast::Compare *compare = nullptr;
  const ast::Expr *bound = nullptr;
  /// Of the two characters of the comparison.
  SourceRange place;
};
} // namespace

static std::optional<Inclusive> inclusiveOf(const ast::SyntaxTree &tree,
                                            const ast::Compare &compare) {
  using enum ast::CompareOpKind;
  if (compare.ops.size() != 1 || (compare.ops[0] != LtE && compare.ops[0] != GtE))
    return std::nullopt;
  const ast::Expr *right = compare.comparators[0];
  const bool isLess = compare.ops[0] == LtE;
  const SourceRange between{compare.left->range.end, right->range.begin, 0};
  const std::string_view text = tree.text(between);
  const size_t at = text.find(isLess ? "<=" : ">=");
  if (at == text.npos || text.find('\n') != text.npos)
    return std::nullopt;
  SourceRange place = between;
  place.begin.column += static_cast<uint32_t>(at);
  place.end = {place.begin.line, place.begin.column + 2};
  return Inclusive{&compare, isLess ? right : compare.left, place};
}

/// Where the data end, as far as a bound says it: not one that is another in each program, as in a causal mask.
static std::optional<int64_t> endOf(const Inclusive &condition, const IndexReader &reader,
                                    int64_t extent) {
  const std::optional<IndexSpan> end = reader.range(*condition.bound);
  // Of a plane of several, its end is that of the last one.
  const bool isEnd = end && end->first == end->last && end->first > 0 && extent > 0 &&
                     extent % end->first == 0 && !reader.calls(*condition.bound, "program_id");
  return isEnd ? std::optional(end->first) : std::nullopt;
}

/// Without the `=` of each of these comparisons.
static DiagnosticFix withoutEqual(const ast::SyntaxTree &tree,
                                  const std::vector<Inclusive> &conditions) {
  std::vector<SourceRange> places;
  for (const Inclusive &each : conditions)
    places.push_back(each.place);
  std::ranges::sort(places);
  DiagnosticFix fix{{places.front().begin, places.back().end, 0}, {}, {}};
  Position from = places.front().begin;
  for (const SourceRange &place : places) {
    fix.replacement += tree.text({from, place.begin, 0});
    fix.replacement += tree.text(place).substr(0, 1);
    from = place.end;
  }
  fix.title = places.size() == 1 ? "compare with `" + fix.replacement + "`"
                                 : std::string("compare without `=`");
  return fix;
}

std::optional<MaskAdvice> lessForLessEqual(const ast::SyntaxTree &tree, const ast::Call &access,
                                           const InterpreterFinding &finding,
                                           const KernelSizes &sizes) {
  const ast::Expr *mask = maskOf(access);
  std::vector<const ast::Compare *> conditions;
  if (mask)
    collectConditions(tree, access, *mask, 0, conditions);
  const IndexReader reader(functionAround(tree, access.range), finding.range.begin,
                           finding.programId, sizes);
  std::vector<Inclusive> ends;
  const Inclusive *culprit = nullptr;
  for (const ast::Compare *each : conditions) {
    const std::optional<Inclusive> found = inclusiveOf(tree, *each);
    if (found && endOf(*found, reader, finding.extent))
      ends.push_back(*found);
  }
  for (const Inclusive &each : ends) {
    const int64_t row = finding.extent / *endOf(each, reader, finding.extent);
    if (!culprit && finding.offset == finding.extent &&
        (finding.lastOffset == finding.extent || finding.lastOffset <= finding.extent + row))
      culprit = &each;
  }
  if (!culprit)
    return std::nullopt;
  const std::string whole(tree.text(culprit->compare->range));
  return MaskAdvice{"`" + whole + "` is true for `" +
                        std::string(tree.text(culprit->bound->range)) + "` itself",
                    {withoutEqual(tree, ends)},
                    {}};
}

} // namespace tilescope::compiler
