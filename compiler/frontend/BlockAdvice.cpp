// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/BlockAdvice.h"

#include "compiler/frontend/ArrayNames.h"
#include "compiler/frontend/ElementAdvice.h"
#include "compiler/frontend/Failure.h"
#include "compiler/frontend/LoadAdvice.h"
#include "compiler/frontend/Message.h"
#include "compiler/frontend/Remedies.h"
#include "compiler/frontend/Specialization.h"

#include <algorithm>

namespace tilescope::compiler::frontend {

/// Whether a loop may have been meant to count up to the value: it was not loaded as a piece of data.
static bool isCount(const Frame &frame, const Tensor &value, const ast::Expr &expr) {
  return !value.isBlock() && !value.type.isPointer() && isInteger(value.dtype()) &&
         !isLoaded(frame, expr);
}

/// What to do with a variable instead of going through it.
static std::vector<std::string> iterationNotes(const Frame &frame, const Tensor &value,
                                               const ast::Name &variable) {
  const std::string name(variable.id);
  if (value.type.isPointer())
    return pointerLoadNotes(frame, name);
  if (value.isBlock())
    return {"`" + name + "` is a block: operations act on all of its elements at once, such as `" +
            name + " * 2`, without a loop"};
  if (isCount(frame, value, variable))
    return {"`" + name + "` is a number: `range(" + name + ")` counts up to it"};
  std::vector<std::string> notes = blockLoadNotes(frame, variable);
  notes.push_back("a block needs no loop: `" + name +
                  " * 2` doubles all of its elements, and "
                  "`tl.sum(" +
                  name + ", axis=0)` adds them up");
  return notes;
}

/// `element` with `replacement` in the place of each name `target`, as the source has it; empty
/// where it is not of the user's file.
static std::string withName(const Emitter &emitter, const Frame &frame, const ast::Expr &element,
                            std::string_view target, std::string_view replacement) {
  const std::string_view text = sourceText(frame, emitter.fileRange(element.range));
  std::vector<size_t> places;
  ast::walk(element, [&](const ast::Node &node) {
    const auto *name = ast::as<ast::Name>(&node);
    if (name && name->id == target && !text.empty())
      places.push_back(static_cast<size_t>(
          sourceText(frame, emitter.fileRange(name->range)).data() - text.data()));
    return true;
  });
  std::ranges::sort(places);
  std::string result(text);
  while (!places.empty()) {
    result.replace(places.back(), target.size(), replacement);
    places.pop_back();
  }
  return result;
}

void failComprehension(Emitter &emitter, const ast::ListComp &expr, const Tensor &source) {
  const Frame &frame = emitter.frame();
  const ast::Comprehension &generator = *expr.generators.front();
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::TypeMismatch;
  diagnostic.range = emitter.currentRange();
  Message("{} is not iterable", Value(source)).needs(Need::Sequence).writeTo(diagnostic);
  const auto *iterated = ast::as<ast::Name>(generator.iter);
  if (iterated)
    diagnostic.notes = iterationNotes(frame, source, *iterated);
  const auto *target = ast::as<ast::Name>(generator.target);
  if (iterated && target && generator.ifs.empty() && source.isBlock() && !source.type.isPointer())
    diagnostic.fixes = rewriteFix(frame, diagnostic.range, diagnostic.range,
                                  withName(emitter, frame, *expr.elt, target->id, iterated->id));
  throw Failure{std::move(diagnostic)};
}

/// The number of elements in the place of `x_ptr.shape[0]` or `x_ptr.size`, if the function is passed that and no
/// other extent.
static std::vector<DiagnosticFix> lengthFix(const Emitter &emitter, const Frame &frame,
                                            const ast::Attribute &shape) {
  const ast::Subscript *entry = nullptr;
  for (size_t i = 0; frame.function && i < frame.function->body.size(); ++i)
    ast::walk(*frame.function->body[i], [&](const ast::Node &node) {
      const auto *candidate = ast::as<ast::Subscript>(&node);
      if (candidate && candidate->value == &shape)
        entry = candidate;
      return !entry;
    });
  const bool isSize = shape.attr == "size";
  const auto *index = entry && !isSize ? ast::as<ast::Constant>(entry->slice) : nullptr;
  if (!isSize && (!index || index->intValue != 0))
    return {};
  const ArrayName length = elementCount(frame);
  const auto numExtents =
      std::ranges::count_if(parametersOf(*frame.function), [&](const ast::Arg *parameter) {
        const Value *value = frame.locals.find(parameter->arg);
        return value && value->tensor() && !value->tensor()->type.isPointer();
      });
  if (length.isNew || numExtents != 1)
    return {};
  const SourceRange range = emitter.fileRange(isSize ? shape.range : entry->range);
  return rewriteFix(frame, range, range, length.name);
}

void failShapeless(Emitter &emitter, const ast::Attribute &shape) {
  const std::string_view written =
      sourceText(emitter.frame(), emitter.fileRange(shape.value->range));
  const std::string name = written.empty() ? "it" : "`" + std::string(written) + "`";
  const Value owner = emitter.evaluate(*shape.value);
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::ConstantEvaluation;
  diagnostic.range = emitter.fileRange(shape.range);
  if (owner.tensor() && owner.tensor()->type.isPointer()) {
    diagnostic.message = name + " is a pointer and has no " + std::string(shape.attr);
    diagnostic.notes.push_back("a pointer does not know how many elements it points to: pass the "
                               "extents of the array as arguments, such as `n` of a vector, "
                               "`n_rows` and `n_cols` of a matrix");
    diagnostic.fixes = lengthFix(emitter, emitter.frame(), shape);
  } else {
    diagnostic.message = name + " is one number: its shape is empty";
    diagnostic.notes = blockLoadNotes(emitter.frame(), *shape.value);
  }
  throw Failure{std::move(diagnostic)};
}

/// What a loop through a block does with its elements, if a reduction does the same.
static std::optional<LoopAdvice> reductionThrough(const Emitter &emitter, const Frame &frame,
                                                  const ast::For &loop) {
  const auto *block = ast::as<ast::Name>(loop.iter);
  const auto *element = ast::as<ast::Name>(loop.target);
  std::optional<LoopAdvice> found;
  for (size_t i = 0; block && element && i < loop.body.size(); ++i)
    ast::walk(*loop.body[i], [&](const ast::Node &node) {
      const auto *use = ast::as<ast::Name>(&node);
      if (!found && use && use->id == element->id && use->ctx == ast::ExprContext::Load)
        found = reductionInstead(emitter, frame, loop, *use, block->id);
      return !found;
    });
  return found;
}

/// `range(-1, 2)` for the numbers -1, 0, 1 that a loop goes through; empty where they are no such row.
static std::string rangeOver(const Value &items) {
  std::vector<int64_t> numbers;
  const TupleValue *tuple = items.asTuple();
  for (size_t i = 0; tuple && i < tuple->items.size(); ++i) {
    const constant::Value *number = tuple->items[i].constant();
    const std::optional<int64_t> value =
        number && number->isInt() ? number->toInt64() : std::nullopt;
    if (!value)
      return {};
    numbers.push_back(*value);
  }
  if (numbers.size() < 2)
    return {};
  const int64_t step = numbers[1] - numbers[0];
  // Two numbers apart from each other are no row.
  if (numbers.size() == 2 && step != 1)
    return {};
  for (size_t i = 1; i < numbers.size(); ++i)
    if (step <= 0 || numbers[i] - numbers[i - 1] != step)
      return {};
  return "range(" + (numbers[0] == 0 && step == 1 ? "" : std::to_string(numbers[0]) + ", ") +
         std::to_string(numbers.back() + step) + (step == 1 ? "" : ", " + std::to_string(step)) +
         ")";
}

void failIteration(Emitter &emitter, const ast::For &loop) {
  const ast::Expr &iterated = *loop.iter;
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::UnsupportedSyntax;
  diagnostic.range = emitter.fileRange(iterated.range);
  diagnostic.message =
      "a `for` loop of a kernel counts: behind `in` is `range`, `tl.range` or `tl.static_range`";
  const auto *name = ast::as<ast::Name>(&iterated);
  const Value value = emitter.evaluate(iterated);
  const bool isWritten = ast::is<ast::List>(&iterated) || ast::is<ast::Tuple>(&iterated);
  if (const std::string range = isWritten ? rangeOver(value) : ""; !range.empty()) {
    diagnostic.notes.push_back("these numbers are `" + range + "`");
    diagnostic.fixes = rewriteFix(emitter.frame(), diagnostic.range, diagnostic.range, range);
    throw Failure{std::move(diagnostic)};
  }
  if (!value.tensor()) {
    diagnostic.notes.push_back(
        "the items of a tuple are `items[i]` for `i in tl.static_range(len(items))`");
    throw Failure{std::move(diagnostic)};
  }
  const std::string text(name ? name->id : "");
  const Tensor &tensor = *value.tensor();
  if (tensor.isBlock())
    diagnostic.message = "a loop cannot go through the elements of a block";
  if (name)
    diagnostic.notes = iterationNotes(emitter.frame(), tensor, *name);
  else if (tensor.isBlock())
    diagnostic.notes.push_back("operations act on all elements of a block at once: after `x = …`, "
                               "`x * 2` doubles all of them");
  if (std::optional<LoopAdvice> advice =
          tensor.isBlock() ? reductionThrough(emitter, emitter.frame(), loop) : std::nullopt) {
    diagnostic.notes = {std::move(advice->note)};
    diagnostic.fixes = std::move(advice->fixes);
  }
  if (name && isCount(emitter.frame(), tensor, iterated))
    diagnostic.fixes =
        rewriteFix(emitter.frame(), diagnostic.range, diagnostic.range, "range(" + text + ")");
  throw Failure{std::move(diagnostic)};
}

/// `print("n", n)` for `print(f"n {n}")`; empty where a part has its own form.
static std::vector<DiagnosticFix> printFix(const Emitter &emitter, const Frame &frame,
                                           const ast::JoinedStr &expr) {
  std::string text, values;
  for (const ast::Expr *part : expr.values) {
    if (const auto *constant = ast::as<ast::Constant>(part)) {
      text += constant->text;
      continue;
    }
    const auto *field = ast::as<ast::FormattedValue>(part);
    const std::string_view value = sourceText(frame, emitter.fileRange(field->value->range));
    if (field->conversion >= 0 || field->formatSpec || value.empty())
      return {};
    values += ", " + std::string(value);
  }
  while (text.ends_with(' '))
    text.pop_back();
  const bool isPlain = std::ranges::all_of(
      text, [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; });
  const SourceRange range = emitter.fileRange(expr.range);
  if (!isPlain)
    return {};
  const std::string replacement = "\"" + text + "\"" + values;
  return {{range, replacement, "write `" + replacement + "`"}};
}

void failFormatted(Emitter &emitter, const ast::JoinedStr &expr, const ast::FormattedValue &field,
                   const Value &value) {
  const Frame &frame = emitter.frame();
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::NotConstexpr;
  diagnostic.range = emitter.fileRange(field.value->range);
  Message("cannot evaluate f-string: {} is not known at compile time", value).writeTo(diagnostic);
  for (size_t i = 0; frame.function && i < frame.function->body.size(); ++i)
    ast::walk(*frame.function->body[i], [&](const ast::Node &node) {
      const auto *call = ast::as<ast::Call>(&node);
      const auto *callee = call ? ast::as<ast::Name>(call->func) : nullptr;
      if (!callee || callee->id != "print" || call->args.size() != 1 || call->args.front() != &expr)
        return true;
      diagnostic.notes.push_back("values follow the text: `print(\"n\", n)`");
      diagnostic.fixes = printFix(emitter, frame, expr);
      return false;
    });
  if (diagnostic.notes.empty())
    diagnostic.notes.push_back(
        "values are printed while the kernel runs, and are no part of a text: "
        "`tl.device_print(\"value\", " +
        std::string(sourceText(frame, diagnostic.range)) + ")`");
  throw Failure{std::move(diagnostic)};
}

bool areVectors(const Value &left, const Value &right) {
  const auto isVector = [](const Value &value) {
    const Tensor *tensor = value.tensor();
    return tensor && tensor->type.shape.size() == 1 && !tensor->type.isPointer();
  };
  return isVector(left) && isVector(right);
}

bool arePlaces(const Value &left, const Value &right) {
  const Tensor *addresses = left.tensor(), *offsets = right.tensor();
  return addresses && offsets && addresses->type.isPointer() && !offsets->type.isPointer() &&
         addresses->type.shape.size() == 1 && offsets->type.shape.size() == 1;
}

std::string asFactor(std::string_view text) {
  int depth = 0;
  const bool isPlain = std::ranges::all_of(text, [&](char c) {
    depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
    return depth > 0 || std::string_view(" +-*/%<>=&|^@~").find(c) == std::string_view::npos;
  });
  return isPlain ? std::string(text) : "(" + std::string(text) + ")";
}

std::string productSum(std::string_view left, std::string_view right) {
  return "tl.sum(" + asFactor(left) + " * " + asFactor(right) + ")";
}

std::string matrixVectorSum(const Value &left, const Value &right, std::string_view leftText,
                            std::string_view rightText) {
  const Tensor *a = left.tensor(), *b = right.tensor();
  if (!a || !b || a->type.isPointer() || b->type.isPointer() || leftText.empty() ||
      rightText.empty())
    return {};
  const Shape &one = a->type.shape, &other = b->type.shape;
  if (one.size() == 2 && other.size() == 1 && one[1] == other[0])
    return "tl.sum(" + asFactor(leftText) + " * " + asFactor(rightText) + "[None, :], axis=1)";
  if (one.size() == 1 && other.size() == 2 && one[0] == other[0])
    return "tl.sum(" + asFactor(leftText) + "[:, None] * " + asFactor(rightText) + ", axis=0)";
  return {};
}

/// Whether one is a block with two dimensions, and the other with one.
static bool areMatrixAndVector(const Value &left, const Value &right) {
  const auto rank = [](const Value &value) {
    return value.tensor() ? value.tensor()->type.shape.size() : 0;
  };
  return rank(left) + rank(right) == 3 && rank(left) > 0 && rank(right) > 0;
}

/// A run-time number, or one that is known.
static bool isOneNumber(const Value &value) {
  return value.tensor() ? !value.tensor()->isBlock() && !value.tensor()->type.isPointer()
                        : value.isNumber();
}

void failMatrixProduct(Emitter &emitter, const ast::BinOp &product, const Value &left,
                       const Value &right) {
  const Frame &frame = emitter.frame();
  const std::string one(sourceText(frame, emitter.fileRange(product.left->range)));
  const std::string other(sourceText(frame, emitter.fileRange(product.right->range)));
  const bool hasSources = !one.empty() && !other.empty();
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::UnsupportedSyntax;
  diagnostic.range = emitter.currentRange();
  std::string code = hasSources ? "tl.dot(" + one + ", " + other + ")" : "";
  if (areVectors(left, right)) {
    code = hasSources ? productSum(one, other) : productSum("x", "y");
    diagnostic.message = "`@` is not supported: use `tl.sum` of the product";
    diagnostic.notes.push_back("of blocks with one dimension it is the sum of the products of "
                               "their elements: `" +
                               code + "`");
  } else if (areMatrixAndVector(left, right)) {
    code = matrixVectorSum(left, right, one, other);
    diagnostic.message = "`@` is not supported: use `tl.sum` of the product";
    diagnostic.notes.push_back(
        "`tl.dot` multiplies two matrices; of a matrix and a vector, the sums of the products are "
        "`" +
        (code.empty() ? std::string("tl.sum(a * x[None, :], axis=1)") : code) + "`");
  } else if (isOneNumber(left) || isOneNumber(right)) {
    code = hasSources ? asFactor(one) + " * " + asFactor(other) : "";
    diagnostic.message = "`@` is not supported: a number multiplies each element with `*`";
  } else {
    diagnostic.message = "`@` is not supported: use `tl.dot`";
  }
  if (hasSources && !code.empty() && hasLanguageName(frame))
    diagnostic.fixes = rewriteFix(frame, diagnostic.range, diagnostic.range, std::move(code));
  throw Failure{std::move(diagnostic)};
}

} // namespace tilescope::compiler::frontend
