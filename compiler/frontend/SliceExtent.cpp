// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/SliceExtent.h"

#include "compiler/frontend/Remedies.h"
#include "compiler/frontend/Specialization.h"

#include <algorithm>
#include <optional>

namespace tilescope::compiler::frontend {

static std::optional<int64_t> numberOf(const ast::Expr *expr) {
  const auto *constant = expr ? ast::as<ast::Constant>(expr) : nullptr;
  return constant ? constant->intValue : std::nullopt;
}

static std::string_view codeOf(const Frame &frame, const ast::Expr &expr) {
  SourceRange range = expr.range;
  range.file = frame.module->file;
  return sourceText(frame, range);
}

/// What is added to `begin` in `end`: `B` of `p + B`; null where it is no such sum.
static const ast::Expr *addedTo(const Frame &frame, const ast::Expr &begin, const ast::Expr &end) {
  const auto *sum = ast::as<ast::BinOp>(&end);
  const std::string_view code = codeOf(frame, begin);
  if (!sum || sum->op != ast::BinaryOpKind::Add || code.empty())
    return nullptr;
  if (codeOf(frame, *sum->left) == code)
    return sum->right;
  return codeOf(frame, *sum->right) == code ? sum->left : nullptr;
}

/// A parameter, or a number that a block may have as its size; nothing for other counts.
static std::optional<ArrayName> countOf(const Frame &frame, const ast::Expr &count) {
  if (const std::optional<int64_t> number = numberOf(&count))
    return *number > 0 && (*number & (*number - 1)) == 0
               ? std::optional(ArrayName{std::to_string(*number)})
               : std::nullopt;
  const auto *name = ast::as<ast::Name>(&count);
  const std::vector<const ast::Arg *> parameters = parametersOf(*frame.function);
  const auto found =
      name ? std::ranges::find(parameters, name->id, &ast::Arg::arg) : parameters.end();
  if (found == parameters.end())
    return std::nullopt;
  ArrayName result{std::string(name->id)};
  result.isPlain = !isConstexprAnnotation(*frame.module, (*found)->annotation);
  return result;
}

SliceExtent extentOfSlice(const Frame &frame, const ast::Slice &slice) {
  const std::optional<int64_t> first = numberOf(slice.lower), last = numberOf(slice.upper);
  SliceExtent extent{first == 0 ? nullptr : slice.lower, blockName(frame)};
  if (slice.step || !slice.upper)
    return extent;
  std::optional<ArrayName> count;
  if (first && last && *first > 0 && *last > *first &&
      ((*last - *first) & (*last - *first - 1)) == 0)
    count = ArrayName{std::to_string(*last - *first)};
  else if (extent.begin) {
    const ast::Expr *added = addedTo(frame, *extent.begin, *slice.upper);
    count = added ? countOf(frame, *added) : std::nullopt;
  } else {
    count = countOf(frame, *slice.upper);
    // Of `x[:n]` the number of elements is as large as the array.
    if (count && count->isPlain && count->name != extent.count.name)
      count.reset();
  }
  if (count) {
    extent.count = *count;
    extent.isKnown = true;
  }
  return extent;
}

} // namespace tilescope::compiler::frontend
