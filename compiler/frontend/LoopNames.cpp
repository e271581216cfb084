// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/LoopNames.h"

#include "compiler/frontend/Remedies.h"
#include "compiler/frontend/StartValue.h"
#include "compiler/frontend/Suggestions.h"

#include <algorithm>

namespace tilescope::compiler::frontend {

LoopNames::LoopNames(Emitter &emitter, const ast::Node &loop, std::string_view index)
    : m_emitter(emitter), m_loop(loop), m_index(index), m_before(emitter.frame().locals) {
  llvm::StringSet<> bound;
  ast::walk(loop, [&](const ast::Node &node) {
    if (const auto *name = ast::as<ast::Name>(&node); name && name->ctx == ast::ExprContext::Store)
      bound.insert(name->id);
    return true;
  });
  for (const Scope::Entry &entry : m_before.entries()) {
    if (entry.name == index || !bound.contains(entry.name) || entry.value.isPoison())
      continue;
    llvm::SmallVector<mlir::Value> handles;
    entry.value.flatten(handles);
    if (!handles.empty())
      m_carried.push_back({entry.name, entry.value});
  }
}

/// Whether statements of `loop`'s body bind the name of its index to something else.
static bool rebindsIndex(const ast::For &loop, std::string_view index) {
  bool rebinds = false;
  for (const ast::Stmt *statement : loop.body)
    ast::walk(*statement, [&](const ast::Node &node) {
      const auto *name = ast::as<ast::Name>(&node);
      rebinds |= name && name->ctx == ast::ExprContext::Store && name->id == index;
      return true;
    });
  return rebinds;
}

/// Whether the function may read behind the loop what the loop leaves in the name: not where
/// another loop takes the name first.
static bool isReadBehind(const ast::FunctionDef *function, const ast::For &loop,
                         std::string_view name) {
  bool isRead = false;
  const ast::Name *first = nullptr;
  llvm::SmallPtrSet<const ast::Node *, 8> indices;
  const auto look = [&](const ast::Node &node) {
    if (const auto *other = ast::as<ast::For>(&node))
      indices.insert(other->target);
    const auto *use = ast::as<ast::Name>(&node);
    if (use == nullptr || use->id != name || use->range.begin < loop.range.end)
      return true;
    isRead |= use->ctx == ast::ExprContext::Load;
    if (first == nullptr || use->range.begin < first->range.begin)
      first = use;
    return true;
  };
  if (function != nullptr)
    ast::walk(*function, look);
  return isRead && !indices.contains(first);
}

void LoopNames::addIndex(const ast::For &loop, const Tensor &lower) {
  if (rebindsIndex(loop, m_index))
    return;
  const Value *before = m_before.find(m_index);
  if (before == nullptr) {
    if (isReadBehind(m_emitter.frame().function, loop, m_index))
      m_carried.push_back({m_index, lower});
    return;
  }
  const Tensor *number = before->tensor();
  if (number != nullptr && !number->isBlock() && !number->type.isPointer() &&
      isInteger(number->dtype()))
    m_carried.push_back({m_index, m_emitter.ops.cast(*number, lower.type.scalar)});
}

llvm::SmallVector<mlir::Value> LoopNames::initial() const {
  llvm::SmallVector<mlir::Value> handles;
  for (const Carried &carried : m_carried)
    carried.initial.flatten(handles);
  return handles;
}

llvm::SmallVector<mlir::Value> LoopNames::current() const {
  llvm::SmallVector<mlir::Value> handles;
  for (const Carried &carried : m_carried)
    m_emitter.frame().locals.find(carried.name)->flatten(handles);
  return handles;
}

void LoopNames::bind(llvm::ArrayRef<mlir::Value> handles) {
  for (const Carried &carried : m_carried)
    m_emitter.frame().locals.set(carried.name, carried.initial.rebuild(handles));
}

void LoopNames::nameLocations(llvm::ArrayRef<mlir::Value> arguments) {
  for (const Carried &carried : m_carried) {
    llvm::SmallVector<mlir::Value> handles;
    carried.initial.flatten(handles);
    for (mlir::Value argument : arguments.take_front(handles.size()))
      argument.setLoc(mlir::NameLoc::get(
          mlir::StringAttr::get(m_emitter.ops.context(), carried.name), m_emitter.location()));
    arguments = arguments.drop_front(handles.size());
  }
}

/// Where a loop binds the name last: the place to show for what is wrong with it.
static SourceRange bindingIn(const ast::Node &loop, std::string_view name) {
  SourceRange range = loop.range;
  ast::walk(loop, [&](const ast::Node &node) {
    if (const auto *target = ast::as<ast::Name>(&node);
        target && target->id == name && target->ctx == ast::ExprContext::Store)
      range = target->range;
    return true;
  });
  return range;
}

/// Whether an expression says one value: a number, also with a sign, a truth, `float("inf")`.
static bool isLiteral(const ast::Expr &value) {
  if (const auto *sign = ast::as<ast::UnaryOp>(&value))
    return sign->op == ast::UnaryOpKind::USub && isLiteral(*sign->operand);
  if (const auto *call = ast::as<ast::Call>(&value)) {
    const auto *name = ast::as<ast::Name>(call->func);
    return name && name->id == "float" && call->args.size() == 1 &&
           ast::is<ast::Constant>(call->args.front());
  }
  const auto *constant = ast::as<ast::Constant>(&value);
  using enum ast::ConstantKind;
  return constant && (constant->intValue || constant->constantKind == Float ||
                      constant->constantKind == True || constant->constantKind == False);
}

/// Whether a loop hands on what it makes of a whole block, one element after the other, as sums of all that came
/// before are: a name that is bound to such a block means its last element.
static bool handsOnScan(const ast::Node &loop, std::string_view name) {
  bool isRenamed = false, scans = false;
  ast::walk(loop, [&](const ast::Node &node) {
    const auto *assign = ast::as<ast::Assign>(&node);
    const auto *target = assign ? ast::as<ast::Name>(assign->targets.front()) : nullptr;
    isRenamed |= target && target->id == name && ast::is<ast::Name>(assign->value);
    const auto *function = ast::as<ast::Attribute>(&node);
    scans |= function && (function->attr == "associative_scan" || function->attr == "cumsum" ||
                          function->attr == "cumprod");
    return true;
  });
  return isRenamed && scans;
}

/// The value that a variable begins with in front of the loop, if it is written as one; null where it begins with
/// anything else.
static const ast::Expr *beginningOf(const ast::FunctionDef *function, std::string_view name) {
  const ast::Expr *value = nullptr;
  for (size_t i = 0; function && i < function->body.size(); ++i)
    ast::walk(*function->body[i], [&](const ast::Node &node) {
      const auto *assign = ast::as<ast::Assign>(&node);
      const auto *target = assign ? ast::as<ast::Name>(assign->targets.front()) : nullptr;
      if (!value && target && target->id == name)
        value = assign->value;
      return !value;
    });
  return value && isLiteral(*value) ? value : nullptr;
}

/// What a variable that begins with the number `written` begins with instead, so that it has the type
/// that the loop gives it; empty where that is not known.
static std::string meantBeginning(const Frame &frame, const Value &initial, const Value &after,
                                  const std::string &written) {
  const Tensor *first = initial.tensor(), *last = after.tensor();
  if (!first || !last || first->isBlock() || first->type.isPointer() || last->type.isPointer() ||
      written.empty())
    return {};
  if (last->isBlock())
    return hasLanguageName(frame) ? filledBlock(frame, last->type, written) : std::string();
  const bool becomesReal = isInteger(first->dtype()) && isFloating(last->dtype()) &&
                           written.back() >= '0' && written.back() <= '9';
  return becomesReal && written.find('.') == written.npos ? written + ".0" : std::string();
}

/// How the type of a carried name can be kept.
static std::vector<std::string> carriedNotes(std::string_view name, const Value &initial,
                                             const Value &after) {
  const Tensor *first = initial.tensor(), *last = after.tensor();
  if (!first || !last || first->type.isPointer() || last->type.isPointer())
    return {};
  const auto spelled = [](const Type &type) {
    return "tl." + constant::DType::of(type.dtype()).languageName();
  };
  if (!first->isBlock() && last->isBlock())
    return {"begin with a block of what it begins with now, `tl.full(" +
            shapeToString(last->type.shape) + ", …, dtype=" + spelled(last->type) + ")`"};
  if (first->type.shape == last->type.shape)
    return {"convert what is assigned, `.to(" + spelled(first->type) + ")`, or begin with " +
            spelled(last->type)};
  return {};
}

bool LoopNames::carries(std::string_view name) const {
  return std::ranges::any_of(m_carried,
                             [&](const Carried &carried) { return carried.name == name; });
}

/// What is wrong with a name, at the place where the loop binds it last. It is unknown from there on.
void LoopNames::reject(std::string_view name, Diagnostic diagnostic) {
  Frame &frame = m_emitter.frame();
  diagnostic.kind = DiagnosticKind::LoopCarriedType;
  diagnostic.range = m_emitter.fileRange(bindingIn(m_loop, name));
  const ast::Name *first = frame.function ? findAssignment(*frame.function, name) : nullptr;
  if (first && first->range.begin < m_loop.range.begin)
    diagnostic.labels.push_back(
        {m_emitter.fileRange(first->range), "it gets its first value here"});
  m_rejected.insert(name);
  frame.locals.set(name, Value::poison());
  m_emitter.report(std::move(diagnostic));
}

void LoopNames::checkType(const Carried &carried) {
  const Frame &frame = m_emitter.frame();
  const auto &[name, initial] = carried;
  const Value &after = *frame.locals.find(name);
  if (after.isPoison() || after.hasTypeOf(initial))
    return;
  Diagnostic diagnostic;
  Message("loop-carried variable `{}` has initial type `{}` but is re-assigned to `{}` in the "
          "loop: its type must stay the same",
          name, initial, after)
      .about(name)
      .writeTo(diagnostic);
  diagnostic.notes = carriedNotes(name, initial, after);
  if (initial.tensor() && !initial.tensor()->isBlock() && handsOnScan(m_loop, name)) {
    diagnostic.notes = {
        "only one element goes on to the next turn, most likely the last: with `i` for the indices "
        "in "
        "the block and `B` for its length, `tl.sum(tl.where(i == B - 1, …, 0.0), axis=0)` is it"};
  } else if (const ast::Expr *number = beginningOf(frame.function, name)) {
    const SourceRange place = m_emitter.fileRange(number->range);
    const std::string code =
        meantBeginning(frame, initial, after, std::string(sourceText(frame, place)));
    const std::string begin = "begin with `" + std::string(name) + " = " + code + "`";
    if (!code.empty()) {
      diagnostic.notes = {begin};
      diagnostic.fixes = {{place, code, begin}};
    }
  }
  reject(name, std::move(diagnostic));
}

void LoopNames::check() {
  for (const Carried &carried : m_carried)
    checkType(carried);
  for (const Scope::Entry &entry : m_before.entries()) {
    if (carries(entry.name) || entry.name == m_index || entry.value.isPoison())
      continue;
    const Value &after = *m_emitter.frame().locals.find(entry.name);
    if (after.isPoison() || after.hasTypeOf(entry.value))
      continue;
    Diagnostic diagnostic;
    Message("cannot reassign the constexpr `{}` in the loop (it was {})", entry.name, entry.value)
        .about(entry.name)
        .writeTo(diagnostic);
    reject(entry.name, std::move(diagnostic));
  }
}

/// Whether a name is unknown behind the loop because of an error in it. What began as a block is
/// one still, if only its update failed: its type must stay the same.
bool LoopNames::isLost(const Carried &carried) const {
  const Tensor *initial = carried.initial.tensor();
  const bool stays = initial && initial->isBlock() && !m_rejected.contains(carried.name);
  return !stays && m_emitter.frame().locals.find(carried.name)->isPoison();
}

/// Names that an error in the loop leaves unknown behind it: of values that are no results of the
/// loop, and of those that lack a value to begin with.
void LoopNames::poisonUpdated(const Scope &locals, Scope &after) const {
  for (const Scope::Entry &entry : m_before.entries())
    if (!carries(entry.name) && locals.find(entry.name)->isPoison())
      after.set(entry.name, Value::poison());
  ast::walk(m_loop, [&](const ast::Node &node) {
    const auto *update = ast::as<ast::AugAssign>(&node);
    const auto *name = update ? ast::as<ast::Name>(update->target) : nullptr;
    const Value *value = name ? locals.find(name->id) : nullptr;
    if (value && value->isPoison() && !after.find(name->id))
      after.set(name->id, Value::poison());
    return true;
  });
}

void LoopNames::leave(mlir::ValueRange results) {
  const llvm::SmallVector<mlir::Value> handles(results);
  llvm::ArrayRef<mlir::Value> remaining = handles;
  Scope &locals = m_emitter.frame().locals;
  Scope after = m_before;
  poisonUpdated(locals, after);
  for (const Carried &carried : m_carried) {
    const bool isPoison = isLost(carried);
    Value result = carried.initial.rebuild(remaining);
    // The index counts in the type of the bounds; what had another type before keeps it.
    if (const Value *known = carried.name == m_index ? after.find(m_index) : nullptr)
      result = m_emitter.ops.cast(*result.tensor(), known->tensor()->type.scalar);
    after.set(carried.name, isPoison ? Value::poison() : result);
  }
  locals = std::move(after);
}

} // namespace tilescope::compiler::frontend
