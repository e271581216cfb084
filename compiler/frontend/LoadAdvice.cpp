// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/LoadAdvice.h"

#include "compiler/frontend/ArrayNames.h"
#include "compiler/frontend/LastAssignment.h"
#include "compiler/frontend/Remedies.h"
#include "compiler/frontend/Specialization.h"
#include "compiler/syntax/ExpressionParts.h"

#include <algorithm>
#include <string_view>

namespace tilescope::compiler::frontend {

namespace {
/// The parts of an address, as code.
struct Address {
  std::string array;
  /// Where a row begins: what is multiplied, or holds such a product.
  std::string rowBegin;
  /// The number of a row: a program's number, or a loop's counter.
  std::string row;
};
} // namespace

/// What the function last gave a name before `use`, or null.
static const ast::Expr *lastValue(const Frame &frame, const ast::Name &use) {
  const ast::Assign *last = lastAssignment(frame, use);
  return last ? last->value : nullptr;
}

static std::string_view calledMember(const ast::Expr *expr) {
  const auto *call = expr ? ast::as<ast::Call>(expr) : nullptr;
  const auto *callee = call ? ast::as<ast::Attribute>(call->func) : nullptr;
  return callee ? std::string_view(callee->attr) : std::string_view();
}

static bool isParameter(const Frame &frame, std::string_view name) {
  const std::vector<const ast::Arg *> parameters = parametersOf(*frame.function);
  return std::ranges::find(parameters, name, &ast::Arg::arg) != parameters.end();
}

/// Whether a loop counts with the name.
static bool isCounter(const Frame &frame, std::string_view name) {
  bool counts = false;
  for (const ast::Stmt *statement : frame.function->body)
    ast::walk(*statement, [&](const ast::Node &node) {
      const auto *loop = ast::as<ast::For>(&node);
      const auto *target = loop ? ast::as<ast::Name>(loop->target) : nullptr;
      counts |= target && target->id == name;
      return !counts;
    });
  return counts;
}

static void addTerm(const Frame &frame, const ast::Expr &term, Address &address) {
  const auto *name = ast::as<ast::Name>(&term);
  const Value *value = name ? frame.locals.find(name->id) : nullptr;
  if (value && value->tensor() && value->tensor()->type.isPointer()) {
    address.array = name->id;
    return;
  }
  const ast::Expr *origin = name ? lastValue(frame, *name) : &term;
  const std::string code(sourceText(frame, term.range));
  const bool isPassed = name && isParameter(frame, name->id);
  if (calledMember(origin) == "program_id" || (name && isCounter(frame, name->id)) ||
      (isPassed && frame.caller))
    address.row = code;
  else if (!isPassed && !ast::is<ast::Constant>(&term))
    address.rowBegin += " + " + code;
}

/// The address of the load that a value is; null where it is no load of the user's file.
static const ast::Expr *addressOf(const Frame &frame, const ast::Expr &value) {
  if (!frame.function || sourceText(frame, value.range).empty())
    return nullptr;
  const auto *name = ast::as<ast::Name>(&value);
  const ast::Expr *origin = name ? lastValue(frame, *name) : &value;
  if (calledMember(origin) != "load")
    return nullptr;
  const auto *call = ast::as<ast::Call>(origin);
  return call->args.empty() ? nullptr : call->args.front();
}

/// `tl.load(x_ptr + tl.arange(0, BLOCK), mask=tl.arange(0, BLOCK) < n)`
static std::string loadOfBlock(const std::string &begin, const ArrayName &block,
                               const ArrayName &length) {
  const std::string range = "tl.arange(0, " + block.name + ")";
  const std::string mask = block.name == length.name ? "" : ", mask=" + range + " < " + length.name;
  return "tl.load(" + begin + " + " + range + mask + ")";
}

bool isLoaded(const Frame &frame, const ast::Expr &value) { return addressOf(frame, value); }

std::vector<std::string> blockLoadNotes(const Frame &frame, const ast::Expr &value) {
  const auto *name = ast::as<ast::Name>(&value);
  const std::string one = (name ? "`" + std::string(name->id) + "`" : "it") + " is one number";
  const ast::Expr *written = addressOf(frame, value);
  Address address;
  if (written)
    // What is subtracted belongs to the term before.
    for (const ast::Expr *term : ast::summands(*written))
      addTerm(frame, *term, address);
  if (address.array.empty())
    return {one + "; a block of numbers is loaded from a block of addresses, such as `pointer + "
                  "tl.arange(0, 64)`"};
  const bool isRow = address.rowBegin.empty() && !address.row.empty();
  const bool isVector = address.rowBegin.empty() && address.row.empty();
  const ArrayName block = blockName(frame);
  const ArrayName length = isVector ? elementCount(frame) : columnCount(frame);
  // Where nothing says how far rows lie apart, they lie side by side.
  ArrayName distance = isRow ? rowDistance(frame, address.array) : ArrayName();
  if (distance.isNew)
    distance = {length.name};
  const std::string begin = isRow ? " + " + address.row + " * " + distance.name : address.rowBegin;
  std::vector<std::string> notes = newNameNotes({}, length, block);
  notes.insert(notes.begin(),
               one + ", the one at `" + std::string(sourceText(frame, written->range)) + "`; " +
                   (isRow ? "row `" + address.row + "` of a matrix" : "a block of numbers") +
                   " is `" + loadOfBlock(address.array + begin, block, length) + "`");
  return notes;
}

std::vector<std::string> pointerLoadNotes(const Frame &frame, const std::string &pointer) {
  const ArrayName block = blockName(frame), length = elementCount(frame);
  std::vector<std::string> notes = newNameNotes({}, length, block);
  notes.insert(notes.begin(), "`" + pointer + "` is a pointer: `" +
                                  loadOfBlock(pointer, block, length) +
                                  "` loads a block of what it points to");
  return notes;
}

} // namespace tilescope::compiler::frontend
