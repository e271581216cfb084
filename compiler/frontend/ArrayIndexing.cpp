// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/ArrayIndexing.h"

#include "compiler/frontend/ArrayConditions.h"
#include "compiler/frontend/ArrayNames.h"
#include "compiler/frontend/ArrayUpdates.h"
#include "compiler/frontend/NewParameter.h"
#include "compiler/frontend/NodeAt.h"
#include "compiler/frontend/OffsetSearch.h"
#include "compiler/frontend/Remedies.h"
#include "compiler/frontend/SliceExtent.h"
#include "compiler/frontend/Specialization.h"

#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <string>
#include <vector>

namespace tilescope::compiler::frontend {
namespace {

/// The address of an element, as code.
struct Address {
  std::string code;
  /// It stands for an address whose offsets the user must fill in.
  bool isSketch = false;
  /// For strides that the function does not have yet: each array has its own.
  std::string newStride = {};
  bool hasNewStride = false;
  /// All that is missing is one stride between rows.
  bool needsStride = false;
  /// Of one element whose place is written down.
  bool isStated = false;
  /// The number of columns, in the place of a stride; empty: it is not.
  std::string columns = {};
  /// For whole rows or columns.
  ArrayName block = {};
  /// From whose end an index counts.
  ArrayName length = {};
  /// The length, where an index counts from the end.
  std::string end = {};
  std::string strideName(size_t axis, size_t rank) {
    hasNewStride = true;
    return rank > 2 ? newStride + std::to_string(axis) : newStride;
  }
};

} // namespace

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

/// The indices that a slice stands for: of two, the first ones are those of rows. `isFactor`: they
/// are multiplied by a stride.
static std::string sliceCode(const Frame &frame, const ast::Expr &part, Address &address,
                             bool isLast, size_t numSlices, bool isFactor) {
  const auto *slice = ast::as<ast::Slice>(&part);
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

/// The number k of an index `-k`, which counts from the end; 0 for others.
static int64_t countFromEnd(const ast::Expr &index) {
  const auto *negated = ast::as<ast::UnaryOp>(&index);
  const auto *number = negated && negated->op == ast::UnaryOpKind::USub
                           ? ast::as<ast::Constant>(negated->operand)
                           : nullptr;
  return number ? number->intValue.value_or(0) : 0;
}

/// An element by its number from the end.
static void addFromEnd(const Frame &frame, int64_t count, Address &address) {
  const ArrayName length = elementCount(frame);
  address.length = length;
  address.end = length.name;
  address.isSketch = length.isNew;
  address.isStated = true;
  address.code += " + " + length.name + " - " + std::to_string(count);
}

/// What is indexed, and by what: `x[i][j]` means what `x[i, j]` does.
struct Indexed {
  const ast::Expr *base = nullptr;
  std::vector<const ast::Expr *> parts = {};
};

static Indexed indexedBy(const ast::Subscript &read) {
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

/// The address that an index means, as far as the function says the distances between rows.
static Address addressOf(const Frame &frame, std::string_view array,
                         const std::vector<const ast::Expr *> &parts) {
  Address address{std::string(array), false, "stride_" + plainName(array)};
  const auto *number = parts.size() == 1 ? ast::as<ast::Constant>(parts.front()) : nullptr;
  address.isStated = number != nullptr;
  if (number && number->intValue == 0)
    return address;
  if (const int64_t count = parts.size() == 1 ? countFromEnd(*parts.front()) : 0; count > 0) {
    addFromEnd(frame, count, address);
    return address;
  }
  const auto isSlice = [](const ast::Expr *part) { return ast::is<ast::Slice>(part); };
  const auto numSlices = static_cast<size_t>(std::ranges::count_if(parts, isSlice));
  const std::vector<std::string> strides = axisStrides(frame, parts, address);
  address.isSketch =
      parts.size() > 1 && strides.size() + 1 != parts.size() && strides.size() != parts.size();
  const bool areBlocks =
      parts.size() == 2 && isVector(frame, *parts[0]) && isVector(frame, *parts[1]);
  address.needsStride = address.isSketch && parts.size() == 2 && numSlices == 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    const bool isLast = i + 1 == parts.size();
    const std::string stride = i < strides.size() && !address.isSketch ? strides[i]
                               : isLast ? ""
                                        : address.strideName(i, parts.size());
    std::string term = offsetCode(frame, *parts[i], !stride.empty());
    if (areBlocks)
      term += isLast ? "[None, :]" : "[:, None]";
    if (term.empty() || isSlice(parts[i]))
      term = sliceCode(frame, *parts[i], address, isLast, numSlices, !stride.empty());
    address.code += " + " + term + (stride.empty() ? "" : " * " + stride);
  }
  return address;
}

static std::vector<std::string> notesFor(const Address &address) {
  std::vector<std::string> notes =
      newNameNotes({address.newStride, address.hasNewStride}, address.length, address.block);
  if (!address.end.empty())
    notes.push_back("a kernel has no negative indices: the last of `" + address.end +
                    "` elements is number `" + address.end + " - 1`");
  if (!address.columns.empty())
    notes.push_back("that is right where rows lie side by side, `" + address.columns +
                    "` elements each");
  if (!address.isStated)
    notes.push_back("pass `mask=` where offsets can lie past the end of the array");
  return notes;
}

/// The variable that is indexed, when it has a pointer; empty for everything else.
static std::string_view pointerName(const Frame &frame, const ast::Expr &base) {
  const auto *name = ast::as<ast::Name>(&base);
  const Value *value = name ? frame.locals.find(name->id) : nullptr;
  const bool isPointer =
      value && value->tensor() && value->tensor()->type.isPointer() && !value->tensor()->isBlock();
  return isPointer ? std::string_view(name->id) : std::string_view();
}

[[noreturn]] static void fail(Emitter &emitter, Diagnostic diagnostic, SourceRange replaced,
                              const Address &address, std::string code) {
  for (std::string &note : notesFor(address))
    diagnostic.notes.push_back(std::move(note));
  const Frame &frame = emitter.frame();
  if ((!address.isSketch || address.needsStride) && hasLanguageName(frame))
    diagnostic.fixes = rewriteFix(frame, replaced, replaced, std::move(code));
  if (address.needsStride)
    diagnostic.fixes = withParameter(frame, address.newStride, std::move(diagnostic.fixes));
  throw Failure{std::move(diagnostic)};
}

/// The call that takes `read` as the address where it loads or stores; null when it is a value.
static const ast::Call *callAt(const ast::FunctionDef &function, const ast::Subscript &read) {
  const ast::Call *found = nullptr;
  for (const ast::Stmt *statement : function.body)
    ast::walk(*statement, [&](const ast::Node &node) {
      const auto *call = ast::as<ast::Call>(&node);
      const auto *callee = call ? ast::as<ast::Attribute>(call->func) : nullptr;
      const bool isAccess = callee && !call->args.empty() && call->args.front() == &read &&
                            (callee->attr == "load" || callee->attr == "store" ||
                             callee->attr.starts_with("atomic_"));
      if (isAccess && ast::is<ast::Name>(callee->value))
        found = call;
      return !found;
    });
  return found;
}

/// `tl.load(x_ptr[cols])`: the address is meant, not what lies there.
[[noreturn]] static void failAddress(Emitter &emitter, const ast::Call &call,
                                     const std::string &array, const Address &address) {
  const Frame &frame = emitter.frame();
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::BadArgument;
  diagnostic.range = emitter.fileRange(call.args.front()->range);
  diagnostic.message = "`" + array + "` is a pointer and cannot be indexed: `" +
                       std::string(sourceText(frame, emitter.fileRange(call.func->range))) +
                       "` takes the address, `" + address.code + "`";
  diagnostic.notes = notesFor(address);
  const bool isMasked = std::ranges::any_of(
      call.keywords, [](const ast::Keyword *each) { return each->arg == "mask"; });
  if (isMasked && !address.isStated)
    diagnostic.notes.pop_back();
  if (!address.isSketch)
    diagnostic.fixes =
        rewriteFix(frame, diagnostic.range, diagnostic.range, std::string(address.code));
  throw Failure{std::move(diagnostic)};
}

/// Whether an index picks elements: it has no `:` and no `None`, which change the shape of a block.
static bool isElement(const ast::Expr &index) {
  const auto *constant = ast::as<ast::Constant>(&index);
  return !ast::is<ast::Slice>(&index) && !ast::is<ast::Tuple>(&index) &&
         (!constant || constant->intValue);
}

/// The whole of `x[i][j]` that `read` begins.
static const ast::Subscript *wholeIndex(const ast::FunctionDef &function,
                                        const ast::Subscript *read) {
  const ast::Subscript *found = nullptr;
  for (const ast::Stmt *statement : function.body)
    ast::walk(*statement, [&](const ast::Node &node) {
      const auto *outer = ast::as<ast::Subscript>(&node);
      const ast::Subscript *part = outer && isElement(*outer->slice) ? outer : nullptr;
      while (part && part != read)
        part = ast::as<ast::Subscript>(part->value);
      if (part)
        found = outer;
      return !found;
    });
  return found ? found : read;
}

/// Whether an index is a variable with one value.
static bool isOneElement(const Frame &frame, const ast::Expr &index) {
  const auto *name = ast::as<ast::Name>(&index);
  const Value *value = name ? frame.locals.find(name->id) : nullptr;
  return value && value->tensor() && !value->tensor()->isBlock();
}

void failArrayRead(Emitter &emitter) {
  const Frame &frame = emitter.frame();
  SourceRange range = emitter.currentRange();
  const auto *read = frame.function ? nodeAt<ast::Subscript>(*frame.function, range) : nullptr;
  const std::string array(read ? pointerName(frame, *read->value) : std::string_view());
  if (read && !array.empty()) {
    read = wholeIndex(*frame.function, read);
    range = emitter.fileRange(read->range);
  }
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::BadArgument;
  diagnostic.range = range;
  diagnostic.message = "a pointer cannot be indexed: use `tl.load(pointer + offset)`";
  if (array.empty())
    throw Failure{std::move(diagnostic)};
  const Indexed indexed = indexedBy(*read);
  checkArrayCondition(emitter, {array, indexed.parts, range, "load", ""});
  Address address = addressOf(frame, array, indexed.parts);
  if (const ast::Call *call = callAt(*frame.function, *read))
    failAddress(emitter, *call, array, address);
  const std::string mask = maskAtIndex(frame, indexed.parts);
  address.isStated |= !mask.empty();
  std::string code = "tl.load(" + address.code + mask + ")";
  if (indexed.parts.size() == 1 && isOneElement(frame, *indexed.parts.front())) {
    const ArrayName distance = rowDistance(frame, array);
    address.block = blockName(frame);
    address.hasNewStride = distance.isNew;
    diagnostic.notes.push_back("this is one element; a row of a matrix is `tl.load(" +
                               address.code + " * " + distance.name + " + tl.arange(0, " +
                               address.block.name + "))`");
  }
  diagnostic.message =
      "`" + array + "` is a pointer and cannot be indexed: load its elements with `" + code + "`";
  fail(emitter, std::move(diagnostic), range, address, std::move(code));
}

static std::string valueText(Emitter &emitter, const ast::Expr &written) {
  std::string value(sourceText(emitter.frame(), emitter.fileRange(written.range)));
  return value.empty() ? "value" : value;
}

/// The array that an assignment to `target` writes to; empty for other targets.
static std::string writtenArray(const Frame &frame, const ast::Expr &target) {
  const auto *entry = ast::as<ast::Subscript>(&target);
  return std::string(entry ? pointerName(frame, *indexedBy(*entry).base) : std::string_view());
}

static Diagnostic writeFailure(const Emitter &emitter, const ast::Expr &target,
                               const std::string &array, const std::string &advice) {
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::UnsupportedSyntax;
  diagnostic.range = emitter.fileRange(target.range);
  diagnostic.message = "`" + array + "` is a pointer and cannot be indexed: " + advice;
  return diagnostic;
}

void checkArrayWrite(Emitter &emitter, const ast::Assign &statement) {
  const ast::Expr &target = *statement.targets.front();
  const std::string array = writtenArray(emitter.frame(), target);
  if (array.empty())
    return;
  const Indexed indexed = indexedBy(*ast::as<ast::Subscript>(&target));
  const std::string value = ", " + valueText(emitter, *statement.value);
  const SourceRange all = emitter.fileRange(statement.range);
  checkArrayCondition(emitter, {array, indexed.parts, all, "store", value});
  Address address = addressOf(emitter.frame(), array, indexed.parts);
  const std::string mask = maskAtIndex(emitter.frame(), indexed.parts);
  address.isStated |= !mask.empty();
  const std::string code = "tl.store(" + address.code + value + mask + ")";
  fail(emitter, writeFailure(emitter, target, array, "store its elements with `" + code + "`"), all,
       address, code);
}

/// An update of places that others may come to as well.
[[noreturn]] static void failRepeatedUpdate(Emitter &emitter, const ast::AugAssign &statement,
                                            const std::string &array, const Address &address,
                                            const AtomicUpdate &atomic) {
  std::string value = valueText(emitter, *statement.value);
  if (atomic.isNegated)
    value = (ast::is<ast::BinOp>(statement.value) ? "-(" + value + ")" : "-" + value);
  std::string code = "tl." + std::string(atomic.function) + "(" + address.code + ", " + value + ")";
  Diagnostic diagnostic =
      writeFailure(emitter, *statement.target, array, "update its elements with `" + code + "`");
  diagnostic.notes.push_back(kRepeatedUpdate);
  fail(emitter, std::move(diagnostic), emitter.fileRange(statement.range), address,
       std::move(code));
}

void checkArrayWrite(Emitter &emitter, const ast::AugAssign &statement) {
  const std::string array = writtenArray(emitter.frame(), *statement.target);
  if (array.empty())
    return;
  const ast::Subscript &target = *ast::as<ast::Subscript>(statement.target);
  Address address = addressOf(emitter.frame(), array, indexedBy(target).parts);
  const auto *inner = ast::as<ast::Subscript>(target.value);
  const bool repeats =
      mayRepeat(emitter, *target.slice) || (inner && mayRepeat(emitter, *inner->slice));
  const std::optional<AtomicUpdate> atomic = atomicUpdate(statement.op);
  if (repeats && atomic)
    failRepeatedUpdate(emitter, statement, array, address, *atomic);
  // What would lose updates is not written by a fix.
  address.isSketch |= repeats;
  address.needsStride &= !repeats;
  std::string value = valueText(emitter, *statement.value);
  if (ast::is<ast::BinOp>(statement.value))
    value = "(" + value + ")";
  std::string code = "tl.store(" + address.code + ", tl.load(" + address.code + ") " +
                     std::string(ast::opText(statement.op)) + " " + value + ")";
  Diagnostic diagnostic =
      writeFailure(emitter, *statement.target, array, "store its elements with `" + code + "`");
  if (repeats)
    diagnostic.notes.push_back(kRepeatedUpdate);
  fail(emitter, std::move(diagnostic), emitter.fileRange(statement.range), address,
       std::move(code));
}

} // namespace tilescope::compiler::frontend
