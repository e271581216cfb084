// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/OffsetSearch.h"

#include "compiler/frontend/LastAssignment.h"
#include "compiler/frontend/MaskAdvice.h"
#include "compiler/frontend/Remedies.h"
#include "compiler/syntax/VectorAxes.h"

#include <functional>
#include <optional>
#include <set>

namespace tilescope::compiler::frontend {

/// Visits each `tl.load` and `tl.store` of the function.
static void forEachAccess(const Frame &frame,
                          const std::function<void(const ast::Call &, bool isLoad)> &visit) {
  for (const ast::Stmt *statement : frame.function->body)
    ast::walk(*statement, [&](const ast::Node &node) {
      const auto *call = ast::as<ast::Call>(&node);
      const auto *callee = call ? ast::as<ast::Attribute>(call->func) : nullptr;
      if (callee && !call->args.empty() && (callee->attr == "load" || callee->attr == "store"))
        visit(*call, callee->attr == "load");
      return true;
    });
}

namespace {
/// Looks for the offsets of a block in the function's names.
class OffsetSearch {
public:
  OffsetSearch(const Frame &frame, const Shape &shape) : m_frame(frame), m_shape(shape) {}

  /// Those that a mask compares; empty where it shows none.
  std::string comparedBy(const ast::Expr *mask) const {
    const auto *name = mask ? ast::as<ast::Name>(mask) : nullptr;
    const ast::Assign *last = name ? lastAssignment(m_frame, *name) : nullptr;
    const auto *compare = ast::as<ast::Compare>(last ? last->value : mask);
    const auto *left = compare ? ast::as<ast::Name>(compare->left) : nullptr;
    return left && isOffsets(left->id) ? std::string(left->id) : std::string();
  }

  /// Those that other accesses of the function add to pointers, if these are the same everywhere.
  std::string addedElsewhere() const {
    std::set<std::string> found;
    forEachAccess(m_frame, [&](const ast::Call &call, bool) {
      if (std::string offsets = blockOffsets(m_frame, *call.args.front()); isOffsets(offsets))
        found.insert(std::move(offsets));
    });
    return only(found);
  }

  /// The only block of integers of that shape.
  std::string alone() const {
    std::set<std::string> found;
    for (const Scope::Entry &entry : m_frame.locals.entries())
      if (isOffsets(entry.name))
        found.insert(std::string(entry.name));
    return only(found);
  }

private:
  bool isOffsets(std::string_view name) const {
    const Value *value = m_frame.locals.find(name);
    const Tensor *tensor = value ? value->tensor() : nullptr;
    return tensor && tensor->isBlock() && !tensor->type.isPointer() && isInteger(tensor->dtype()) &&
           tensor->dtype() != DType::Int1 && tensor->type.shape == m_shape;
  }
  static std::string only(const std::set<std::string> &names) {
    return names.size() == 1 ? *names.begin() : std::string();
  }

  const Frame &m_frame;
  const Shape &m_shape;
};
} // namespace

std::string offsetsOfBlock(const Frame &frame, const Shape &shape, const ast::Expr *mask) {
  if (!frame.function)
    return {};
  const OffsetSearch search(frame, shape);
  std::string offsets = search.comparedBy(mask);
  if (offsets.empty())
    offsets = search.addedElsewhere();
  return offsets.empty() ? search.alone() : offsets;
}

/// What a name was last given, where an expression is one.
static const ast::Expr *valueOf(const Frame &frame, const ast::Expr *expr) {
  const auto *name = expr ? ast::as<ast::Name>(expr) : nullptr;
  const ast::Assign *last = name ? lastAssignment(frame, *name) : nullptr;
  return last ? last->value : expr;
}

/// `tl.arange(0, …)`, or a name for it.
static bool beginsAtZero(const Frame &frame, const ast::Expr *offsets) {
  const auto *range = ast::as<ast::Call>(valueOf(frame, offsets));
  const auto *callee = range ? ast::as<ast::Attribute>(range->func) : nullptr;
  const auto *begin = callee && callee->attr == "arange" && !range->args.empty()
                          ? ast::as<ast::Constant>(range->args.front())
                          : nullptr;
  return begin && begin->text == "0";
}

std::string numLoaded(const MaskedCount &count, const std::string &all) {
  return count.isOfBlock      ? count.code
         : count.mask.empty() ? all
                              : "tl.sum((" + count.mask + ").to(tl.float32))";
}

/// The mask of an access; null where it has none.
static const ast::Expr *maskOf(const ast::Call &access, bool isLoad) {
  const size_t position = isLoad ? 1 : 2;
  for (const ast::Keyword *keyword : access.keywords)
    if (keyword->arg == "mask")
      return keyword->value;
  return position < access.args.size() ? access.args[position] : nullptr;
}

MaskedCount maskedCount(const Frame &frame, std::string_view name) {
  const ast::Expr *mask = nullptr;
  if (!frame.function)
    return {};
  forEachAssignment(frame, name, [&](const ast::Assign &assign) {
    const auto *load = ast::as<ast::Call>(assign.value);
    const auto *callee = load ? ast::as<ast::Attribute>(load->func) : nullptr;
    if (callee && callee->attr == "load")
      mask = maskOf(*load, true);
  });
  mask = valueOf(frame, mask);
  const auto *compare = mask ? ast::as<ast::Compare>(mask) : nullptr;
  const auto *count =
      compare && compare->ops.size() == 1 && compare->ops[0] == ast::CompareOpKind::Lt
          ? ast::as<ast::Name>(compare->comparators[0])
          : nullptr;
  if (!count)
    return {};
  SourceRange range = compare->range;
  range.file = frame.module->file;
  return {std::string(count->id), beginsAtZero(frame, compare->left),
          std::string(sourceText(frame, range))};
}

bool usesMasks(const Frame &frame) {
  bool uses = false;
  if (frame.function)
    forEachAccess(
        frame, [&](const ast::Call &call, bool isLoad) { uses |= isLoad && maskOf(call, isLoad); });
  return uses;
}

/// Whether a mask takes elements of an array as Python does, `m[i]`, which is no code of kernels yet.
static bool takesElements(const ast::Expr *mask) {
  bool takes = false;
  if (mask)
    ast::walk(*mask, [&](const ast::Node &node) {
      const auto *part = ast::as<ast::Subscript>(&node);
      takes |= part && !ast::axisOf(*part);
      return !takes;
    });
  return takes;
}

std::string maskAt(const Frame &frame, std::string_view offsets) {
  std::optional<std::string> mask;
  bool isOne = true;
  forEachAccess(frame, [&](const ast::Call &call, bool isLoad) {
    if (offsets.empty() || blockOffsets(frame, *call.args.front()) != offsets)
      return;
    const ast::Expr *written = maskOf(call, isLoad);
    if (takesElements(written))
      return;
    SourceRange range = written ? written->range : SourceRange();
    range.file = frame.module->file;
    const std::string text(written ? sourceText(frame, range) : std::string_view());
    isOne &= !mask || *mask == text;
    mask = text;
  });
  return isOne ? mask.value_or("") : std::string();
}

std::string maskArgumentAt(const Frame &frame, std::string_view offsets) {
  const std::string mask = maskAt(frame, offsets);
  return mask.empty() ? mask : ", mask=" + mask;
}

/// Whether an expression says where these offsets end: `i < n`, also as one of several conditions.
static bool endsOffsets(const Frame &frame, const ast::Expr &expr, std::string_view offsets) {
  if (const auto *both = ast::as<ast::BinOp>(&expr))
    return both->op == ast::BinaryOpKind::BitAnd &&
           (endsOffsets(frame, *both->left, offsets) || endsOffsets(frame, *both->right, offsets));
  const auto *compare = ast::as<ast::Compare>(&expr);
  if (!compare || compare->ops.size() != 1 || compare->ops[0] != ast::CompareOpKind::Lt)
    return false;
  SourceRange left = compare->left->range;
  left.file = frame.module->file;
  return sourceText(frame, left) == offsets;
}

/// The name of the only mask that ends these offsets, which no access may have taken yet; empty where there is none, or
/// several.
static std::string maskBeside(const Frame &frame, std::string_view offsets) {
  std::string found;
  for (const Scope::Entry &entry : frame.locals.entries()) {
    const Tensor *tensor = entry.value.tensor();
    if (!tensor || !tensor->isBlock() || tensor->type.isPointer() || tensor->dtype() != DType::Int1)
      continue;
    size_t numAssigned = 0, numEnding = 0;
    forEachAssignment(frame, entry.name, [&](const ast::Assign &assign) {
      ++numAssigned;
      numEnding += endsOffsets(frame, *assign.value, offsets);
    });
    if (numAssigned != 1 || numEnding != 1)
      continue;
    if (!found.empty())
      return {};
    found = entry.name;
  }
  return found;
}

std::string maskAtIndex(const Frame &frame, const std::vector<const ast::Expr *> &parts) {
  if (parts.size() != 1)
    return {};
  SourceRange range = parts.front()->range;
  range.file = frame.module->file;
  const std::string_view offsets = sourceText(frame, range);
  const std::string mask = maskArgumentAt(frame, offsets);
  if (!mask.empty() || offsets.empty())
    return mask;
  const std::string beside = maskBeside(frame, offsets);
  return beside.empty() ? beside : ", mask=" + beside;
}

} // namespace tilescope::compiler::frontend
