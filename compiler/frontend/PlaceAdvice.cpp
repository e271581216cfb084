// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/PlaceAdvice.h"

#include "compiler/frontend/LastAssignment.h"
#include "compiler/frontend/NodeAt.h"
#include "compiler/frontend/OffsetSearch.h"
#include "compiler/frontend/OneNumber.h"
#include "compiler/frontend/Remedies.h"

namespace tilescope::compiler::frontend {

static std::string offsetsFor(const BuiltinCall &call, const Shape &shape, size_t mask) {
  const Frame &frame = call.emitter.frame();
  if (!frame.function)
    return {};
  const auto *written =
      call.isGiven(mask) ? nodeAt<ast::Expr>(*frame.function, call.rangeOf(mask)) : nullptr;
  return offsetsOfBlock(frame, shape, written);
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

/// The number that a store to one address means instead of a block, where it may: what is stored together with a
/// block as its mask is one element for each, and so is what goes to the beginning of an array.
static OneNumber numberInstead(const BuiltinCall &call, size_t parameter, size_t mask,
                               bool hasOffsets) {
  const bool isStore = parametersOf(call.builtin)[1].name == "value";
  if (!isStore || parameter != 1 || (call.isGiven(mask) && call[mask].tensor()->isBlock()))
    return {};
  OneNumber number = oneNumberOf(call, parameter, mask);
  const auto *address = call.emitter.frame().function
                            ? nodeAt<ast::Name>(*call.emitter.frame().function, call.rangeOf(0))
                            : nullptr;
  return number.isCollected || !address || !hasOffsets ? number : OneNumber();
}

/// Whether a value is computed from a reduction, also by its name.
static bool isReduced(const BuiltinCall &call, size_t parameter) {
  const Frame &frame = call.emitter.frame();
  const ast::Expr *value =
      frame.function ? nodeAt<ast::Expr>(*frame.function, call.rangeOf(parameter)) : nullptr;
  if (const auto *name = value ? ast::as<ast::Name>(value) : nullptr) {
    const ast::Assign *assign = lastAssignment(frame, *name);
    value = assign ? assign->value : nullptr;
  }
  bool found = false;
  if (value)
    ast::walk(*value, [&](const ast::Node &node) {
      const auto *inner = ast::as<ast::Call>(&node);
      const auto *callee = inner ? ast::as<ast::Attribute>(inner->func) : nullptr;
      found |= callee && (callee->attr == "sum" || callee->attr == "max" || callee->attr == "min" ||
                          callee->attr == "argmax" || callee->attr == "argmin");
      return !found;
    });
  return found;
}

void checkNeedlessMask(const BuiltinCall &call, size_t value, size_t mask) {
  const Tensor *given = call[value].tensor(), *block = call[mask].tensor();
  const std::string masked(call.text(mask));
  if (!given || given->isBlock() || !block || !block->isBlock() || masked.empty() ||
      !isReduced(call, value))
    return;
  std::vector<DiagnosticFix> fixes;
  SourceRange range = call.rangeOf(value);
  range.begin = range.end;
  range.end = call.rangeOf(mask).end;
  if (call.rangeOf(value).end < call.rangeOf(mask).begin)
    fixes.push_back({range, "", "leave the mask out"});
  call.fail(
      mask, DiagnosticKind::ShapeMismatch,
      Message("`{}` is a block of {}, and what is written is one number at one address: leave "
              "the mask out",
              masked, block->type.numElements()),
      {"the elements that it leaves out are kept out of the reduction by the `other` of the "
       "load, or by `tl.where`"},
      std::move(fixes));
}

namespace {
/// `b_ptr + r`, where `r` counts elements; null parts where the address is something else.
struct ChosenElement {
  const ast::Expr *array = nullptr;
  const ast::Name *index = nullptr;
};
} // namespace

/// Whether a value is the number of one element, as that of the program is: blocks begin at products, and the
/// counter of a loop may go from one block to the next.
static bool isNumberOfElement(const ast::Expr &value) {
  const auto *call = ast::as<ast::Call>(&value);
  const auto *callee = call ? ast::as<ast::Attribute>(call->func) : nullptr;
  const auto *part = ast::as<ast::BinOp>(&value);
  return (callee && (callee->attr == "program_id" || callee->attr == "load")) ||
         (part && (part->op == ast::BinaryOpKind::Mod || part->op == ast::BinaryOpKind::FloorDiv));
}

static ChosenElement chosenElement(const BuiltinCall &call) {
  const Frame &frame = call.emitter.frame();
  const ast::Expr *address =
      frame.function ? nodeAt<ast::Expr>(*frame.function, call.rangeOf(0)) : nullptr;
  const auto *sum = address ? ast::as<ast::BinOp>(address) : nullptr;
  const auto *index =
      sum && sum->op == ast::BinaryOpKind::Add ? ast::as<ast::Name>(sum->right) : nullptr;
  const ast::Assign *assign = index ? lastAssignment(frame, *index) : nullptr;
  return assign && ast::is<ast::Name>(sum->left) && isNumberOfElement(*assign->value)
             ? ChosenElement{sum->left, index}
             : ChosenElement();
}

/// A mask for a block, where the address is that of one element: which of the two was meant is not known.
static void failMaskOfOne(const BuiltinCall &call, size_t mask) {
  const ChosenElement element = chosenElement(call);
  const std::string address(call.text(0)), given(call.text(mask));
  const Tensor &block = *call[mask].tensor();
  const bool isMask = !block.type.isPointer() && block.dtype() == DType::Int1;
  if (!element.index || !isMask || address.empty() || given.empty())
    return;
  const std::string offsets = offsetsFor(call, block.type.shape, mask);
  std::vector<std::string> notes = {"leave the mask out to take the element that `" +
                                    std::string(element.index->id) + "` counts"};
  if (!offsets.empty()) {
    SourceRange range = element.array->range;
    range.file = call.range.file;
    const std::string array(sourceText(call.emitter.frame(), range));
    notes.push_back("for one element for each of `" + offsets + "`, the address is `" + array +
                    " + " + offsets + "`");
  }
  call.fail(mask, DiagnosticKind::ShapeMismatch,
            "`" + address + "` is the address of one element, and `" + given + "` is a block of " +
                std::to_string(block.type.numElements()) + ": one element needs no mask",
            std::move(notes));
}

void failOneAddress(BuiltinCall &call, size_t parameter, size_t mask) {
  if (parameter == mask)
    failMaskOfOne(call, mask);
  const Frame &frame = call.emitter.frame();
  const Tensor &block = *call[parameter].tensor();
  const std::string own(call.receiver()), given(call.text(parameter));
  const std::string pointer = own.empty() ? std::string(call.text(0)) : own;
  const std::string subject = pointer.empty() ? "the pointer" : "`" + pointer + "`";
  const bool isBeside = areOffsets(call, parameter);
  const std::string offsets = isBeside ? given : offsetsFor(call, block.type.shape, mask);
  const std::string count = std::to_string(block.type.numElements());
  const bool hasOffsets = !pointer.empty() && !offsets.empty();
  const std::string sum = pointer + " + " + offsets;
  const std::string sketch =
      (pointer.empty() ? "pointer" : pointer) + " + tl.arange(0, " + count + ")";
  std::string message = subject + " is the address of one element, and " +
                        (given.empty() ? "the argument" : "`" + given + "`") + " is a block of " +
                        count;
  const OneNumber number =
      isBeside ? OneNumber() : numberInstead(call, parameter, mask, hasOffsets);
  const std::string instead =
      "to store one number, the block's " + number.words + ", write `" + number.code + "`";
  std::vector<std::string> notes;
  std::vector<DiagnosticFix> fixes;
  if (!number.code.empty() && hasLanguageName(frame))
    fixes = rewriteFix(frame, call.rangeOf(parameter), call.rangeOf(parameter), number.code);
  if (number.isCollected) {
    message += ": its " + number.words + " is one number, `" + number.code + "`";
    notes.push_back("to store all " + count + " elements, add offsets to the pointer, as in `" +
                    (hasOffsets ? sum : sketch) + "`");
  } else if (!hasOffsets) {
    notes.push_back("add a block of offsets to the pointer, as in `" + sketch + "`");
    if (!number.code.empty())
      notes.push_back(instead);
  } else {
    message += ": add the offsets to the pointer, `" + sum + "`";
    if (!number.code.empty())
      notes.push_back(instead);
    std::vector<DiagnosticFix> added;
    if (own.empty())
      added = rewriteFix(frame, call.rangeOf(0),
                         isBeside ? call.rangeOf(parameter) : call.rangeOf(0), sum);
    fixes.insert(fixes.begin(), added.begin(), added.end());
  }
  call.fail(parameter, DiagnosticKind::ShapeMismatch, message, std::move(notes), std::move(fixes));
}

/// The only `i[:, None]` of an address; null where there are several, or none.
static const ast::Subscript *columnOf(const ast::Expr &address) {
  const ast::Subscript *found = nullptr;
  int numColumns = 0;
  ast::walk(address, [&](const ast::Node &node) {
    const auto *part = ast::as<ast::Subscript>(&node);
    const auto *indices = part ? ast::as<ast::Tuple>(part->slice) : nullptr;
    const auto *last =
        indices && indices->elts.size() == 2 ? ast::as<ast::Constant>(indices->elts[1]) : nullptr;
    if (last && last->constantKind == ast::ConstantKind::None) {
      ++numColumns;
      found = part;
    }
    return true;
  });
  return numColumns == 1 ? found : nullptr;
}

void checkColumnOfPointers(const BuiltinCall &call, const Shape &given, const Shape &wanted) {
  if (given.size() != 1 || wanted.size() != 2 || wanted[0] != given[0] || wanted[1] != 1 ||
      given[0] == 1)
    return;
  const Frame &frame = call.emitter.frame();
  const Tensor *value = call[1].tensor(), *mask = call[2].tensor();
  const size_t parameter = value && value->type.shape == given ? 1 : 2;
  const std::string text(call.text(parameter));
  const std::string subject = text.empty() ? "what is stored" : "`" + text + "`";
  const auto *address =
      frame.function ? nodeAt<ast::Expr>(*frame.function, call.rangeOf(0)) : nullptr;
  const ast::Subscript *column = address ? columnOf(*address) : nullptr;
  std::vector<std::string> notes;
  std::vector<DiagnosticFix> fixes;
  // A mask that is a column, too, says that the addresses are meant so.
  if (parameter == 1 && column && !(mask && mask->type.shape.size() == 2)) {
    const SourceRange place = call.emitter.fileRange(column->range);
    const std::string base(sourceText(frame, call.emitter.fileRange(column->value->range)));
    notes.push_back("one element for each of `" + base + "` goes to `" + base +
                    "` as it is, without `[:, None]`");
    fixes = rewriteFix(frame, place, place, base);
  } else if (frame.function && !text.empty()) {
    const auto *node = nodeAt<ast::Name>(*frame.function, call.rangeOf(parameter));
    const std::string code = (node ? text : "(" + text + ")") + "[:, None]";
    notes.push_back("`" + code + "` is a column");
    fixes = rewriteFix(frame, call.rangeOf(parameter), call.rangeOf(parameter), code);
  }
  call.fail(0, DiagnosticKind::ShapeMismatch,
            Message("the pointers are a column of shape {}, and {} has the shape {}, which counts "
                    "as a row",
                    wanted, subject, given),
            std::move(notes), std::move(fixes));
}

/// The axis of `tl.sum(x, axis=1)`, and the name of `x`; null parts where the call is no such.
struct Reduced {
  const ast::Name *block = nullptr;
  const ast::Constant *axis = nullptr;
};

/// Also of a mean, `tl.sum(x, axis=1) / n`: numbers around the call leave its shape.
static Reduced reducedBy(const ast::Expr &value) {
  if (const auto *operation = ast::as<ast::BinOp>(&value)) {
    const Reduced left = reducedBy(*operation->left);
    return left.block ? left : reducedBy(*operation->right);
  }
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

ShapeAdvice transposedOfShape(const BuiltinCall &call, size_t parameter, const Shape &wanted) {
  const Frame &frame = call.emitter.frame();
  const Tensor *value = call[parameter].tensor();
  if (!frame.function || !value || call.text(parameter).empty())
    return {};
  const Shape &given = value->type.shape;
  if (given.size() != 2 || wanted.size() != 2 || given[0] != wanted[1] || given[1] != wanted[0])
    return {};
  const std::string code = "tl.trans(" + std::string(call.text(parameter)) + ")";
  ShapeAdvice advice{{"the transposed block is `" + code + "`"}, {}};
  if (hasLanguageName(frame))
    advice.fixes = rewriteFix(frame, call.rangeOf(parameter), call.rangeOf(parameter), code);
  return advice;
}

ShapeAdvice valueOfShape(const BuiltinCall &call, size_t parameter, const Shape &wanted) {
  if (ShapeAdvice advice = transposedOfShape(call, parameter, wanted); !advice.notes.empty())
    return advice;
  const Frame &frame = call.emitter.frame();
  const auto *stored =
      frame.function ? nodeAt<ast::Expr>(*frame.function, call.rangeOf(parameter)) : nullptr;
  const Tensor *value = call[parameter].tensor();
  if (!stored || !value || call.text(parameter).empty())
    return {};
  const Shape &given = value->type.shape;
  if (given.size() == 2 && wanted.size() == 2 && wanted[1] == 1 && given[0] == wanted[0]) {
    const std::string offsets = offsetsOfBlock(frame, {given[1]});
    return {
        {"each row has one address: add the offsets of its columns to the pointers, as in `… + " +
         (offsets.empty() ? std::string("j") : offsets) +
         "[None, :]`, or store one number for each row, such as a sum along axis 1"},
        {}};
  }
  return otherAxis(call, *stored, wanted);
}

} // namespace tilescope::compiler::frontend
