// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/ArrayIndexing.h"

#include "compiler/frontend/ArrayAddress.h"
#include "compiler/frontend/ArrayConditions.h"
#include "compiler/frontend/ArrayNames.h"
#include "compiler/frontend/ArrayUpdates.h"
#include "compiler/frontend/BlockAdvice.h"
#include "compiler/frontend/LastAssignment.h"
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

/// The number of names that an assignment gives the parts of `read` to: 3 of `r, g, b = x[i]`; 0 for other uses.
static size_t numParts(const ast::FunctionDef &function, const ast::Subscript &read) {
  size_t found = 0;
  for (const ast::Stmt *statement : function.body)
    ast::walk(*statement, [&](const ast::Node &node) {
      const auto *assign = ast::as<ast::Assign>(&node);
      const auto *names = assign && assign->value == &read && assign->targets.size() == 1
                              ? ast::as<ast::Tuple>(assign->targets.front())
                              : nullptr;
      const bool arePlain = names && std::ranges::all_of(names->elts, [](const ast::Expr *each) {
                              return ast::is<ast::Name>(each);
                            });
      found = arePlain ? names->elts.size() : found;
      return found == 0;
    });
  return found;
}

/// `r, g, b = x[i]`: the elements of each place lie side by side.
[[noreturn]] static void failParts(Emitter &emitter, const std::string &array,
                                   const ast::Expr &index, size_t count, const std::string &mask) {
  const Frame &frame = emitter.frame();
  const std::string text(sourceText(frame, emitter.fileRange(index.range)));
  std::string code;
  for (size_t i = 0; i < count; ++i)
    code += (i ? ", " : "") + std::string("tl.load(") + array + " + " + std::to_string(count) +
            " * " + asFactor(text) + (i ? " + " + std::to_string(i) : "") + mask + ")";
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::BadArgument;
  diagnostic.range = emitter.currentRange();
  diagnostic.message = "`" + array +
                       "` is a pointer and cannot be indexed: " + std::to_string(count) +
                       " names take as many loads, `" + code + "`";
  diagnostic.notes.push_back("that is right where `" + array + "` has " + std::to_string(count) +
                             " elements side by side for each `" + text + "`");
  if (hasLanguageName(frame))
    diagnostic.fixes = rewriteFix(frame, diagnostic.range, diagnostic.range, std::move(code));
  throw Failure{std::move(diagnostic)};
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
  if (const size_t count = numParts(*frame.function, *read);
      count > 1 && indexed.parts.size() == 1 && isElement(*indexed.parts.front()) &&
      !sourceText(frame, emitter.fileRange(indexed.parts.front()->range)).empty())
    failParts(emitter, array, *indexed.parts.front(), count, mask);
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

/// `out[:n] = v`, `out[:] = v` of a block: each program writes its own elements of the array, at the offsets that the
/// block was computed for. Empty where there are none.
static std::string wholeOffsets(const Frame &frame, const Indexed &indexed, const Value &value) {
  const auto *slice =
      indexed.parts.size() == 1 ? ast::as<ast::Slice>(indexed.parts.front()) : nullptr;
  const Tensor *block = value.tensor();
  if (!slice || slice->step || !block || block->type.shape.size() != 1)
    return {};
  const SliceExtent extent = extentOfSlice(frame, *slice);
  return extent.begin || extent.isKnown ? std::string() : offsetsOfBlock(frame, block->type.shape);
}

/// The mask at these offsets, as an argument: that of the function's other accesses, else the end of the slice.
static std::string wholeMask(const Frame &frame, const Indexed &indexed,
                             const std::string &offsets) {
  const std::string mask = maskArgumentAt(frame, offsets);
  const auto *slice = ast::as<ast::Slice>(indexed.parts.front());
  const auto *end = slice->upper ? ast::as<ast::Name>(slice->upper) : nullptr;
  return mask.empty() && end ? ", mask=" + offsets + " < " + std::string(end->id) : mask;
}

void checkArrayWrite(Emitter &emitter, const ast::Assign &statement, const Value &written) {
  const ast::Expr &target = *statement.targets.front();
  const std::string array = writtenArray(emitter.frame(), target);
  if (array.empty())
    return;
  const Indexed indexed = indexedBy(*ast::as<ast::Subscript>(&target));
  const std::string value = ", " + valueText(emitter, *statement.value);
  const SourceRange all = emitter.fileRange(statement.range);
  checkArrayCondition(emitter, {array, indexed.parts, all, "store", value});
  Address address = addressOf(emitter.frame(), array, indexed.parts);
  std::string mask = maskAtIndex(emitter.frame(), indexed.parts);
  if (const std::string own = wholeOffsets(emitter.frame(), indexed, written); !own.empty()) {
    address = {array + " + " + own};
    mask = wholeMask(emitter.frame(), indexed, own);
  }
  address.isStated |= !mask.empty();
  const std::string code = "tl.store(" + address.code + value + mask + ")";
  fail(emitter, writeFailure(emitter, target, array, "store its elements with `" + code + "`"), all,
       address, code);
}

/// The mask of the load that an index comes from, as an argument: what is left out there counts nowhere. Empty where there
/// is none.
static std::string maskOfLoaded(Emitter &emitter, const ast::Expr &index) {
  const Frame &frame = emitter.frame();
  const auto *name = ast::as<ast::Name>(&index);
  const ast::Assign *assign = name ? lastAssignment(frame, *name) : nullptr;
  const auto *load = ast::as<ast::Call>(assign ? assign->value : &index);
  const auto *callee = load ? ast::as<ast::Attribute>(load->func) : nullptr;
  if (!callee || callee->attr != "load")
    return {};
  const ast::Expr *mask = load->args.size() > 1 ? load->args[1] : nullptr;
  for (const ast::Keyword *keyword : load->keywords)
    if (keyword->arg == "mask")
      mask = keyword->value;
  const std::string_view text =
      mask ? sourceText(frame, emitter.fileRange(mask->range)) : std::string_view();
  return text.empty() ? std::string() : ", mask=" + std::string(text);
}

/// An update of places that others may come to as well.
[[noreturn]] static void failRepeatedUpdate(Emitter &emitter, const ast::AugAssign &statement,
                                            const std::string &array, Address address,
                                            const AtomicUpdate &atomic) {
  const std::string mask = maskOfLoaded(emitter, *ast::as<ast::Subscript>(statement.target)->slice);
  address.isStated |= !mask.empty();
  std::string value = valueText(emitter, *statement.value);
  if (atomic.isNegated)
    value = (ast::is<ast::BinOp>(statement.value) ? "-(" + value + ")" : "-" + value);
  std::string code =
      "tl." + std::string(atomic.function) + "(" + address.code + ", " + value + mask + ")";
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
  // A choice binds less than any operator.
  if (ast::is<ast::BinOp>(statement.value) || ast::is<ast::IfExp>(statement.value) ||
      ast::is<ast::Compare>(statement.value) || ast::is<ast::BoolOp>(statement.value))
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
