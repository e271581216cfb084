// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/ArrayAddress.h"

#include "compiler/frontend/BlockAdvice.h"
#include "compiler/frontend/LaunchShape.h"
#include "compiler/frontend/Remedies.h"
#include "compiler/frontend/SliceExtent.h"
#include "compiler/syntax/ExpressionParts.h"

#include <algorithm>
#include <array>
#include <optional>

namespace tilescope::compiler::frontend {

/// An offset as a term or a factor of one.
static std::string offsetCode(const Frame &frame, const ast::Expr &part, bool isFactor) {
  SourceRange range = part.range;
  range.file = frame.module->file;
  const std::string text(sourceText(frame, range));
  const auto *operation = ast::as<ast::BinOp>(&part);
  using enum ast::BinaryOpKind;
  const bool isSum = operation && (operation->op == Add || operation->op == Sub);
  const bool isProduct = operation && (operation->op == Mult || operation->op == FloorDiv);
  const bool isAtom = ast::as<ast::Name>(&part) || ast::as<ast::Constant>(&part) ||
                      ast::as<ast::Call>(&part) || ast::as<ast::Attribute>(&part) ||
                      ast::as<ast::Subscript>(&part);
  return isAtom || isProduct || (isSum && !isFactor) || text.empty() ? text : "(" + text + ")";
}

/// The strides of an array with these indices. Of a matrix without one, the number of columns does.
static std::vector<std::string>
axisStrides(const Frame &frame, const std::vector<const ast::Expr *> &parts, Address &address) {
  const size_t rank = parts.size();
  const std::string &array = address.code;
  std::vector<std::string> strides =
      rank > 1 ? stridesOf(frame, array) : std::vector<std::string>();
  ArrayName distance = rowDistance(frame, array);
  if (const std::string columns = rank == 2 && distance.isNew ? boundOf(frame, *parts.back()) : "";
      !columns.empty())
    distance = {columns};
  if (rank == 2 && strides.empty() && !distance.isNew) {
    address.columns = distance.name;
    strides.push_back(distance.name);
  }
  return strides;
}

static bool isStepOfOne(const ast::Expr &expr) {
  const auto *number = ast::as<ast::Constant>(&expr);
  return number && number->intValue == 1;
}

/// The indices that a slice stands for: of two, the first ones are those of rows. `isFactor`: they
/// are multiplied by a stride.
static std::string sliceCode(const Frame &frame, const ast::Expr &part, Address &address,
                             bool isLast, size_t numSlices, bool isFactor) {
  const auto *slice = ast::as<ast::Slice>(&part);
  if (slice && slice->step && !isStepOfOne(*slice->step)) {
    address.isSketch = true;
    address.launched = "with `i = tl.arange(0, BLOCK)`, a slice that counts down has the elements "
                       "`n - 1 - i`, and one in steps of 2 has `2 * i`";
    return "…";
  }
  const SliceExtent extent =
      slice ? extentOfSlice(frame, *slice) : SliceExtent{nullptr, blockName(frame)};
  address.isSketch |= !extent.isKnown;
  address.block = extent.count;
  const std::string suffix = numSlices < 2 ? "" : isLast ? "[None, :]" : "[:, None]";
  const std::string range = "tl.arange(0, " + extent.count.name + ")" + suffix;
  if (!extent.begin)
    return range;
  const std::string sum = offsetCode(frame, *extent.begin, false) + " + " + range;
  return isFactor ? "(" + sum + ")" : sum;
}

/// The terms of an index, all of which are taken away: `1` and `i` of `-1 - i`; empty for others.
static std::vector<const ast::Expr *> takenAway(const ast::Expr &index) {
  if (const auto *sign = ast::as<ast::UnaryOp>(&index); sign && sign->op == ast::UnaryOpKind::USub)
    return {sign->operand};
  const auto *sum = ast::as<ast::BinOp>(&index);
  if (!sum || sum->op != ast::BinaryOpKind::Sub)
    return {};
  std::vector<const ast::Expr *> terms = takenAway(*sum->left);
  if (!terms.empty())
    terms.push_back(sum->right);
  return terms;
}

/// Whether an index is a number that counts from the end: `-2`.
static bool countsFromEnd(const ast::Expr &index) {
  const std::vector<const ast::Expr *> terms = takenAway(index);
  const auto *number = terms.size() == 1 ? ast::as<ast::Constant>(terms.front()) : nullptr;
  return number && number->intValue.value_or(0) > 0;
}

/// An element by its number from the end.
static void addFromEnd(const Frame &frame, const std::vector<const ast::Expr *> &terms,
                       Address &address) {
  const ArrayName length = elementCount(frame);
  address.length = length;
  address.end = length.name;
  address.isSketch = length.isNew;
  address.isStated = terms.size() == 1 && ast::is<ast::Constant>(terms.front());
  address.code += " + " + length.name;
  for (const ast::Expr *term : terms) {
    SourceRange range = term->range;
    range.file = frame.module->file;
    const std::string code(sourceText(frame, range));
    address.code += " - " + (ast::is<ast::BinOp>(term) ? asFactor(code) : code);
  }
}

Indexed indexedBy(const ast::Subscript &read) {
  Indexed result{read.value};
  if (const auto *inner = ast::as<ast::Subscript>(read.value))
    result = indexedBy(*inner);
  if (const auto *tuple = ast::as<ast::Tuple>(read.slice))
    result.parts.insert(result.parts.end(), tuple->elts.begin(), tuple->elts.end());
  else
    result.parts.push_back(read.slice);
  return result;
}

/// Whether an index is a variable with a block that has one axis: of two, the first one has the rows.
static bool isVector(const Frame &frame, const ast::Expr &index) {
  const auto *name = ast::as<ast::Name>(&index);
  const Value *value = name ? frame.locals.find(name->id) : nullptr;
  return value && value->tensor() && value->tensor()->type.shape.size() == 1;
}

/// The axis along which the kernel lays a vector first: 0 of `r[:, None]`, of `(r < M)[:, None]` and of `x[r, c]`;
/// nothing: along none.
static std::optional<size_t> axisOf(const Frame &frame, std::string_view vector) {
  const auto isNone = [](const ast::Expr *part) {
    const auto *constant = ast::as<ast::Constant>(part);
    return constant && constant->constantKind == ast::ConstantKind::None;
  };
  std::optional<size_t> axis;
  for (const ast::Stmt *statement : frame.function->body)
    ast::walk(*statement, [&](const ast::Node &node) {
      const auto *read = ast::as<ast::Subscript>(&node);
      const auto *index = read && !axis ? ast::as<ast::Tuple>(read->slice) : nullptr;
      if (!index || index->elts.size() != 2)
        return !axis;
      const bool isRow = isNone(index->elts[1]), isColumn = isNone(index->elts[0]);
      if ((isRow || isColumn) && mentions(*read->value, vector))
        axis = isRow ? 0 : 1;
      for (size_t i = 0; i < 2 && !axis; ++i)
        if (const auto *name = ast::as<ast::Name>(index->elts[i]); name && name->id == vector)
          axis = i;
      return !axis;
    });
  return axis;
}

/// How the vectors of two indices are laid: rows down and columns to the right, unless the kernel has them the other
/// way around, as the second place of a transpose.
static std::array<const char *, 2> vectorSuffixes(const Frame &frame, const ast::Expr &first) {
  const auto *name = ast::as<ast::Name>(&first);
  const bool isTurned = name && frame.function && axisOf(frame, name->id) == 1;
  return isTurned ? std::array{"[None, :]", "[:, None]"} : std::array{"[:, None]", "[None, :]"};
}

/// The place in an array whose shape the launch block shows, and whose strides no parameter says. Returns whether it
/// is one.
static bool addLaunched(const Frame &frame, const std::vector<const ast::Expr *> &parts,
                        Address &address) {
  const std::string array = address.code;
  const std::vector<std::string> shape = launchShape(frame, array);
  const auto numVectors =
      std::ranges::count_if(parts, [&](const ast::Expr *part) { return isVector(frame, *part); });
  if (shape.size() < parts.size() || numVectors > 2 || !stridesOf(frame, array).empty())
    return false;
  std::vector<std::string> terms;
  const auto firstVector =
      std::ranges::find_if(parts, [&](const ast::Expr *part) { return isVector(frame, *part); });
  const std::array suffixes =
      vectorSuffixes(frame, firstVector == parts.end() ? *parts.front() : **firstVector);
  bool isSecond = false;
  for (const ast::Expr *part : parts) {
    std::string term = offsetCode(frame, *part, terms.empty());
    if (term.empty() || countsFromEnd(*part))
      return false;
    if (numVectors == 2 && isVector(frame, *part)) {
      term += suffixes[isSecond ? 1 : 0];
      isSecond = true;
    }
    terms.push_back(std::move(term));
  }
  address.code += " + " + placeIn(shape, terms);
  std::string extents;
  for (const std::string &extent : shape)
    extents += (extents.empty() ? "" : ", ") + extent;
  address.launched = "the launch block makes `" + array + "` an array of shape [" + extents + "]";
  if (shape.size() == parts.size())
    return true;
  address.isSketch = true;
  address.launched +=
      ", and this index leaves out the last of its axes: that is the address of the first element "
      "there, which the others follow";
  return true;
}

Address addressOf(const Frame &frame, std::string_view array,
                  const std::vector<const ast::Expr *> &parts) {
  Address address{std::string(array), false, "stride_" + plainName(array)};
  const auto *number = parts.size() == 1 ? ast::as<ast::Constant>(parts.front()) : nullptr;
  address.isStated = number != nullptr;
  if (number && number->intValue == 0)
    return address;
  const auto fromEnd =
      parts.size() == 1 ? takenAway(*parts.front()) : std::vector<const ast::Expr *>();
  if (!fromEnd.empty()) {
    addFromEnd(frame, fromEnd, address);
    return address;
  }
  const auto isSlice = [](const ast::Expr *part) { return ast::is<ast::Slice>(part); };
  if (parts.size() > 1 && std::ranges::none_of(parts, isSlice) &&
      addLaunched(frame, parts, address))
    return address;
  const auto numSlices = static_cast<size_t>(std::ranges::count_if(parts, isSlice));
  const std::vector<std::string> strides = axisStrides(frame, parts, address);
  address.isSketch =
      parts.size() > 1 && strides.size() + 1 != parts.size() && strides.size() != parts.size();
  const bool areBlocks =
      parts.size() == 2 && isVector(frame, *parts[0]) && isVector(frame, *parts[1]);
  address.needsStride = address.isSketch && parts.size() == 2 && numSlices == 0;
  const std::array suffixes = vectorSuffixes(frame, *parts.front());
  for (size_t i = 0; i < parts.size(); ++i) {
    const bool isLast = i + 1 == parts.size();
    const std::string stride = i < strides.size() && !address.isSketch ? strides[i]
                               : isLast ? ""
                                        : address.strideName(i, parts.size());
    std::string term = offsetCode(frame, *parts[i], !stride.empty());
    if (areBlocks)
      term += suffixes[isLast ? 1 : 0];
    if (term.empty() || isSlice(parts[i]))
      term = sliceCode(frame, *parts[i], address, isLast, numSlices, !stride.empty());
    address.code += " + " + term + (stride.empty() ? "" : " * " + stride);
  }
  return address;
}

std::vector<std::string> notesFor(const Address &address) {
  std::vector<std::string> notes =
      newNameNotes({address.newStride, address.hasNewStride && address.newStrides.size() < 2},
                   address.length, address.block);
  std::string strides;
  for (const std::string &stride : address.newStrides)
    strides += (strides.empty()                       ? "`"
                : stride == address.newStrides.back() ? " and `"
                                                      : ", `") +
               stride + "`";
  if (address.newStrides.size() > 1)
    notes.push_back(strides + " are the numbers of elements from one place to the next along these "
                              "axes of the array: pass them as arguments");
  if (!address.end.empty())
    notes.push_back("a kernel has no negative indices: the last of `" + address.end +
                    "` elements is number `" + address.end + " - 1`");
  if (!address.columns.empty())
    notes.push_back("that is right where rows lie side by side, `" + address.columns +
                    "` elements each");
  if (!address.launched.empty())
    notes.push_back(address.launched);
  if (!address.isStated)
    notes.push_back("pass `mask=` where offsets can lie past the end of the array");
  return notes;
}

} // namespace tilescope::compiler::frontend
