// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/ArrayIndexing.h"

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
  std::string strideName(size_t axis, size_t rank) {
    hasNewStride = true;
    return rank > 2 ? newStride + std::to_string(axis) : newStride;
  }
};

} // namespace

static constexpr const char *kRepeated =
    "several elements of a block, or several programs, may come to one place: after a load and a "
    "store only one of their updates is left";

/// Whether the array's name begins what is left of a stride's name: `x_row_stride`, `stride_xm`.
static bool isStrideOf(llvm::StringRef parameter, llvm::StringRef array) {
  constexpr llvm::StringRef kStride = "stride";
  const size_t at = parameter.find_insensitive(kStride);
  if (at == llvm::StringRef::npos)
    return false;
  const std::string rest =
      (parameter.take_front(at) + parameter.drop_front(at + kStride.size())).str();
  const llvm::StringRef left = llvm::StringRef(rest).trim('_');
  array.consume_back("_ptr");
  return left.empty() || left == "row" || left.starts_with_insensitive(array);
}

/// The function's parameters that say how far apart the elements of `array` are along its axes.
static std::vector<std::string> stridesOf(const Frame &frame, std::string_view array) {
  std::vector<std::string> strides;
  for (const ast::Arg *parameter : parametersOf(*frame.function))
    if (isStrideOf(parameter->arg, array))
      strides.emplace_back(parameter->arg);
  return strides;
}

/// The array's name without the ending of pointers.
static std::string plainName(llvm::StringRef array) {
  array.consume_back("_ptr");
  return array.str();
}

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

/// The address that an index means, as far as the function says the distances between rows.
static Address addressOf(const Frame &frame, std::string_view array, const ast::Expr &index) {
  std::vector<const ast::Expr *> parts{&index};
  if (const auto *tuple = ast::as<ast::Tuple>(&index))
    parts.assign(tuple->elts.begin(), tuple->elts.end());
  Address address{std::string(array), false, "stride_" + plainName(array)};
  if (const auto *number = ast::as<ast::Constant>(&index); number && number->intValue == 0)
    return address;
  const std::vector<std::string> strides =
      parts.size() > 1 ? stridesOf(frame, array) : std::vector<std::string>();
  address.isSketch =
      parts.size() > 1 && strides.size() + 1 != parts.size() && strides.size() != parts.size();
  for (size_t i = 0; i < parts.size(); ++i) {
    const bool isLast = i + 1 == parts.size();
    const std::string stride = i < strides.size() && !address.isSketch ? strides[i]
                               : isLast                                ? ""
                                        : address.strideName(i, parts.size());
    std::string term = offsetCode(frame, *parts[i], !stride.empty());
    if (term.empty() || ast::as<ast::Slice>(parts[i])) {
      address.isSketch = true;
      term = parts.size() == 1 ? "offsets" : isLast ? "cols" : "rows";
    }
    address.code += " + " + term + (stride.empty() ? "" : " * " + stride);
  }
  return address;
}

static std::vector<std::string> notesFor(const Address &address) {
  if (address.hasNewStride)
    return {"`" + address.newStride +
                "` is the number of elements from one row of the array to the next: pass it as an "
                "argument",
            "pass `mask=` where offsets can lie past the end of the array"};
  return {"pass `mask=` where offsets can lie past the end of the array"};
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
  if (isMasked)
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
  const Address address = addressOf(frame, array, *read->slice);
  if (const ast::Call *call = callAt(*frame.function, *read))
    failAddress(emitter, *call, array, address);
  std::string code = "tl.load(" + address.code + ")";
  if (isOneElement(frame, *read->slice))
    diagnostic.notes.push_back("this is one element; a row of a matrix is `tl.load(" + array +
                               " + " + address.code.substr(array.size() + 3) + " * " +
                               address.newStride + " + tl.arange(0, BLOCK))`");
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
