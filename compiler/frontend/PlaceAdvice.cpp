// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/PlaceAdvice.h"

#include "compiler/frontend/LastAssignment.h"
#include "compiler/frontend/MaskAdvice.h"
#include "compiler/frontend/NodeAt.h"
#include "compiler/frontend/Remedies.h"

#include <algorithm>
#include <set>

namespace tilescope::compiler::frontend {

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
    for (const ast::Stmt *statement : m_frame.function->body)
      ast::walk(*statement, [&](const ast::Node &node) {
        const auto *call = ast::as<ast::Call>(&node);
        const auto *callee = call ? ast::as<ast::Attribute>(call->func) : nullptr;
        const bool isAccess =
            callee && !call->args.empty() && (callee->attr == "load" || callee->attr == "store");
        if (std::string offsets = isAccess ? blockOffsets(m_frame, *call->args.front()) : "";
            isOffsets(offsets))
          found.insert(std::move(offsets));
        return true;
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

static std::string offsetsFor(const BuiltinCall &call, const Shape &shape, size_t mask) {
  const Frame &frame = call.emitter.frame();
  if (!frame.function)
    return {};
  const OffsetSearch search(frame, shape);
  const auto *written =
      call.isGiven(mask) ? nodeAt<ast::Expr>(*frame.function, call.rangeOf(mask)) : nullptr;
  std::string offsets = search.comparedBy(written);
  if (offsets.empty())
    offsets = search.addedElsewhere();
  return offsets.empty() ? search.alone() : offsets;
}

/// `tl.store(out, offsets, x)`: what follows the pointer is added to it.
static bool areOffsets(const BuiltinCall &call, size_t parameter) {
  const Tensor *block = call[parameter].tensor();
  const bool isMeant = parameter == 1 && block && !block->type.isPointer() &&
                       isInteger(block->dtype()) && block->dtype() != DType::Int1;
  const bool isLoad = parametersOf(call.builtin)[1].name == "mask";
  return isMeant && (isLoad || (call.isGiven(2) && call[2].tensor() &&
                                call[2].tensor()->dtype() != DType::Int1));
}

void failOneAddress(BuiltinCall &call, size_t parameter, size_t mask) {
  const Frame &frame = call.emitter.frame();
  const Tensor &block = *call[parameter].tensor();
  const std::string pointer(call.text(0)), given(call.text(parameter));
  const std::string subject = pointer.empty() ? "the pointer" : "`" + pointer + "`";
  const bool isBeside = areOffsets(call, parameter);
  const std::string offsets = isBeside ? given : offsetsFor(call, block.type.shape, mask);
  std::string message = subject + " is the address of one element, and " +
                        (given.empty() ? "the argument" : "`" + given + "`") + " is a block of " +
                        std::to_string(block.type.numElements());
  if (pointer.empty() || offsets.empty())
    call.fail(parameter, DiagnosticKind::ShapeMismatch, message,
              {"add a block of offsets to the pointer, as in `" +
               (pointer.empty() ? std::string("pointer") : pointer) + " + tl.arange(0, " +
               std::to_string(block.type.numElements()) + ")`"});
  const std::string sum = pointer + " + " + offsets;
  call.fail(parameter, DiagnosticKind::ShapeMismatch,
            message + ": add the offsets to the pointer, `" + sum + "`", {},
            rewriteFix(frame, call.rangeOf(0), isBeside ? call.rangeOf(parameter) : call.rangeOf(0),
                       sum));
}

/// The axis of `tl.sum(x, axis=1)`, and the name of `x`; null parts where the call is no such.
struct Reduced {
  const ast::Name *block = nullptr;
  const ast::Constant *axis = nullptr;
};

static Reduced reducedBy(const ast::Expr &value) {
  const auto *call = ast::as<ast::Call>(&value);
  const auto *callee = call ? ast::as<ast::Attribute>(call->func) : nullptr;
  if (!callee || call->args.empty() ||
      (callee->attr != "sum" && callee->attr != "max" && callee->attr != "min"))
    return {};
  const ast::Expr *axis = call->args.size() > 1 ? call->args[1] : nullptr;
  for (const ast::Keyword *keyword : call->keywords)
    if (keyword->arg == "axis")
      axis = keyword->value;
  return {ast::as<ast::Name>(call->args.front()), axis ? ast::as<ast::Constant>(axis) : nullptr};
}

/// Of a matrix that was reduced along the wrong one of its axes.
static ShapeAdvice otherAxis(const BuiltinCall &call, const ast::Expr &stored,
                             const Shape &wanted) {
  const Frame &frame = call.emitter.frame();
  const auto *name = ast::as<ast::Name>(&stored);
  const ast::Assign *last = name ? lastAssignment(frame, *name) : nullptr;
  const Reduced reduced = reducedBy(last ? *last->value : stored);
  const Value *block = reduced.block ? frame.locals.find(reduced.block->id) : nullptr;
  if (!block || !block->tensor() || block->tensor()->type.shape.size() != 2 || !reduced.axis ||
      wanted.size() != 1)
    return {};
  const int64_t axis = reduced.axis->intValue.value_or(-1);
  if ((axis != 0 && axis != 1) || block->tensor()->type.shape[axis] != wanted.front())
    return {};
  const std::string number = std::to_string(1 - axis);
  const std::string matrix = "`" + std::string(reduced.block->id) + "`";
  SourceRange place = reduced.axis->range;
  place.file = call.range.file;
  return {{"`axis=" + number + "` leaves one number for each " + (axis == 0 ? "row" : "column") +
           " of " + matrix},
          {{place, number, "reduce along axis " + number}}};
}

ShapeAdvice valueOfShape(const BuiltinCall &call, size_t parameter, const Shape &wanted) {
  const Frame &frame = call.emitter.frame();
  const auto *stored =
      frame.function ? nodeAt<ast::Expr>(*frame.function, call.rangeOf(parameter)) : nullptr;
  const Tensor *value = call[parameter].tensor();
  if (!stored || !value || call.text(parameter).empty())
    return {};
  const Shape &given = value->type.shape;
  if (given.size() == 2 && wanted.size() == 2 && given[0] == wanted[1] && given[1] == wanted[0]) {
    const std::string code = "tl.trans(" + std::string(call.text(parameter)) + ")";
    ShapeAdvice advice{{"the transposed block is `" + code + "`"}, {}};
    if (hasLanguageName(frame))
      advice.fixes = rewriteFix(frame, call.rangeOf(parameter), call.rangeOf(parameter), code);
    return advice;
  }
  return otherAxis(call, *stored, wanted);
}

} // namespace tilescope::compiler::frontend
