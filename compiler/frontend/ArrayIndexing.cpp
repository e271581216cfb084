// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/ArrayIndexing.h"

#include "compiler/frontend/ArrayNames.h"
#include "compiler/frontend/ArrayUpdates.h"
#include "compiler/frontend/NodeAt.h"
#include "compiler/frontend/Remedies.h"
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
  /// Of one element whose place is written down.
  bool isStated = false;
  /// The number of columns, in the place of a stride; empty: it is not.
  std::string columns = {};
  /// For whole rows or columns.
  ArrayName block = {};
  std::string strideName(size_t axis, size_t rank) {
    hasNewStride = true;
    return rank > 2 ? newStride + std::to_string(axis) : newStride;
  }
};

} // namespace

static constexpr const char *kRepeated =
    "several elements of a block, or several programs, may come to one place: after a load and a "
    "store only one of their updates is left";

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

/// The strides of an array with so many axes. Of a matrix without one, the number of columns does.
static std::vector<std::string> axisStrides(const Frame &frame, size_t rank, Address &address) {
  const std::string &array = address.code;
  std::vector<std::string> strides =
      rank > 1 ? stridesOf(frame, array) : std::vector<std::string>();
  const ArrayName distance = rowDistance(frame, array);
  if (rank == 2 && strides.empty() && !distance.isNew) {
    address.columns = distance.name;
    strides.push_back(distance.name);
  }
  return strides;
}

/// The indices that a slice stands for: of two, the first ones are those of rows.
static std::string sliceCode(const Frame &frame, Address &address, bool isLast, size_t numSlices) {
  address.isSketch = true;
  address.block = blockName(frame);
  const std::string range = "tl.arange(0, " + address.block.name + ")";
  return numSlices < 2 ? range : range + (isLast ? "[None, :]" : "[:, None]");
}

/// The address that an index means, as far as the function says the distances between rows.
static Address addressOf(const Frame &frame, std::string_view array, const ast::Expr &index) {
  std::vector<const ast::Expr *> parts{&index};
  if (const auto *tuple = ast::as<ast::Tuple>(&index))
    parts.assign(tuple->elts.begin(), tuple->elts.end());
  Address address{std::string(array), false, "stride_" + plainName(array)};
  const auto *number = ast::as<ast::Constant>(&index);
  address.isStated = number != nullptr;
  if (number && number->intValue == 0)
    return address;
  const auto isSlice = [](const ast::Expr *part) { return ast::is<ast::Slice>(part); };
  const auto numSlices = static_cast<size_t>(std::ranges::count_if(parts, isSlice));
  const std::vector<std::string> strides = axisStrides(frame, parts.size(), address);
  address.isSketch =
      parts.size() > 1 && strides.size() + 1 != parts.size() && strides.size() != parts.size();
  for (size_t i = 0; i < parts.size(); ++i) {
    const bool isLast = i + 1 == parts.size();
    const std::string stride = i < strides.size() && !address.isSketch ? strides[i]
                               : isLast ? ""
                                        : address.strideName(i, parts.size());
    std::string term = offsetCode(frame, *parts[i], !stride.empty());
    if (term.empty() || isSlice(parts[i]))
      term = sliceCode(frame, address, isLast, numSlices);
    address.code += " + " + term + (stride.empty() ? "" : " * " + stride);
  }
  return address;
}

static std::vector<std::string> notesFor(const Address &address) {
  std::vector<std::string> notes =
      newNameNotes({address.newStride, address.hasNewStride}, {}, address.block);
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
  if (!address.isSketch && hasLanguageName(emitter.frame()))
    diagnostic.fixes = rewriteFix(emitter.frame(), replaced, replaced, std::move(code));
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
  diagnostic.range = emitter.currentRange();
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

/// Whether an index is a variable with one value.
static bool isOneElement(const Frame &frame, const ast::Expr &index) {
  const auto *name = ast::as<ast::Name>(&index);
  const Value *value = name ? frame.locals.find(name->id) : nullptr;
  return value && value->tensor() && !value->tensor()->isBlock();
}

void failArrayRead(Emitter &emitter) {
  const Frame &frame = emitter.frame();
  const SourceRange range = emitter.currentRange();
  const auto *read = frame.function ? nodeAt<ast::Subscript>(*frame.function, range) : nullptr;
  const std::string array(read ? pointerName(frame, *read->value) : std::string_view());
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::BadArgument;
  diagnostic.range = range;
  diagnostic.message = "a pointer cannot be indexed: use `tl.load(pointer + offset)`";
  if (array.empty())
    throw Failure{std::move(diagnostic)};
  Address address = addressOf(frame, array, *read->slice);
  if (const ast::Call *call = callAt(*frame.function, *read))
    failAddress(emitter, *call, array, address);
  std::string code = "tl.load(" + address.code + ")";
  if (isOneElement(frame, *read->slice)) {
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
  return std::string(entry ? pointerName(frame, *entry->value) : std::string_view());
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
  const Address address =
      addressOf(emitter.frame(), array, *ast::as<ast::Subscript>(&target)->slice);
  std::string code = "tl.store(" + address.code + ", " + valueText(emitter, *statement.value) + ")";
  Diagnostic diagnostic =
      writeFailure(emitter, target, array, "store its elements with `" + code + "`");
  fail(emitter, std::move(diagnostic), emitter.fileRange(statement.range), address,
       std::move(code));
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
  diagnostic.notes.push_back(kRepeated);
  fail(emitter, std::move(diagnostic), emitter.fileRange(statement.range), address,
       std::move(code));
}

void checkArrayWrite(Emitter &emitter, const ast::AugAssign &statement) {
  const std::string array = writtenArray(emitter.frame(), *statement.target);
  if (array.empty())
    return;
  const ast::Expr &index = *ast::as<ast::Subscript>(statement.target)->slice;
  Address address = addressOf(emitter.frame(), array, index);
  const bool repeats = mayRepeat(emitter, index);
  const std::optional<AtomicUpdate> atomic = atomicUpdate(statement.op);
  if (repeats && atomic)
    failRepeatedUpdate(emitter, statement, array, address, *atomic);
  // What would lose updates is not written by a fix.
  address.isSketch |= repeats;
  std::string value = valueText(emitter, *statement.value);
  if (ast::is<ast::BinOp>(statement.value))
    value = "(" + value + ")";
  std::string code = "tl.store(" + address.code + ", tl.load(" + address.code + ") " +
                     std::string(ast::opText(statement.op)) + " " + value + ")";
  Diagnostic diagnostic =
      writeFailure(emitter, *statement.target, array, "store its elements with `" + code + "`");
  if (repeats)
    diagnostic.notes.push_back(kRepeated);
  fail(emitter, std::move(diagnostic), emitter.fileRange(statement.range), address,
       std::move(code));
}

} // namespace tilescope::compiler::frontend
