// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// `for` and `while`. Names that are live before a loop and bound in it are carried from one
// iteration to the next; they keep their types.
#include "compiler/constant/Builtins.h"
#include "compiler/constant/Operators.h"
#include "compiler/frontend/BlockAdvice.h"
#include "compiler/frontend/Builtins.h"
#include "compiler/frontend/Recovery.h"
#include "compiler/frontend/Remedies.h"
#include "compiler/frontend/Suggestions.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <algorithm>

namespace scf = mlir::scf;

namespace tilescope::compiler::frontend {

/// More repetitions of unrolled statements than that are taken for a mistake.
static constexpr int64_t kMaxUnrolled = 100000;

/// A name that a loop changes, with its value before the loop.
struct Emitter::Carried {
  std::string_view name;
  Value initial;
};

std::vector<Emitter::Carried> Emitter::carriedBy(const ast::Node &loop, ast::Identifier index) {
  llvm::StringSet<> bound;
  ast::walk(loop, [&](const ast::Node &node) {
    if (const auto *name = ast::as<ast::Name>(&node); name && name->ctx == ast::ExprContext::Store)
      bound.insert(name->id);
    return true;
  });
  std::vector<Carried> carried;
  for (const Scope::Entry &entry : m_frame->locals.entries()) {
    if (entry.name == index || !bound.contains(entry.name) || entry.value.isPoison())
      continue;
    llvm::SmallVector<mlir::Value> handles;
    entry.value.flatten(handles);
    if (!handles.empty())
      carried.push_back({entry.name, entry.value});
  }
  return carried;
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

/// The index of a loop behind which it may be read: as in Python it keeps its last value there, or
/// the value before a loop that does not run.
std::optional<Emitter::Carried> Emitter::carriedIndex(const ast::For &loop, std::string_view index,
                                                      const Tensor &lower) {
  if (rebindsIndex(loop, index))
    return std::nullopt;
  const Value *before = m_frame->locals.find(index);
  if (before == nullptr)
    return isReadBehind(m_frame->function, loop, index) ? std::optional(Carried{index, lower})
                                                        : std::nullopt;
  const Tensor *number = before->tensor();
  if (number == nullptr || number->isBlock() || number->type.isPointer() ||
      !isInteger(number->dtype()))
    return std::nullopt;
  return Carried{index, ops.cast(*number, lower.type.scalar)};
}

/// The handles that carried names start with.
template <typename List> static llvm::SmallVector<mlir::Value> initialHandles(const List &carried) {
  llvm::SmallVector<mlir::Value> handles;
  for (const auto &name : carried)
    name.initial.flatten(handles);
  return handles;
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

/// The whole number that a sum of real numbers begins with; nothing where it begins with anything
/// else.
static std::optional<SourceRange> wholeBeginning(const ast::FunctionDef *function,
                                                 std::string_view name, const Value &initial,
                                                 const Value &after) {
  const Tensor *first = initial.tensor(), *last = after.tensor();
  if (!function || !first || !last || first->isBlock() || last->isBlock() ||
      first->type.isPointer() || last->type.isPointer() || !isInteger(first->dtype()) ||
      !isFloating(last->dtype()))
    return std::nullopt;
  const ast::Expr *value = nullptr;
  for (const ast::Stmt *statement : function->body)
    ast::walk(*statement, [&](const ast::Node &node) {
      const auto *assign = ast::as<ast::Assign>(&node);
      const auto *target = assign ? ast::as<ast::Name>(assign->targets.front()) : nullptr;
      if (!value && target && target->id == name)
        value = assign->value;
      return !value;
    });
  const auto *number = value ? ast::as<ast::Constant>(value) : nullptr;
  return number && number->intValue ? std::optional(number->range) : std::nullopt;
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
    return {"begin with a block, `" + std::string(name) + " = tl.zeros(" +
            shapeToString(last->type.shape) + ", dtype=" + spelled(last->type) + ")`"};
  if (first->type.shape == last->type.shape)
    return {"convert what is assigned, `.to(" + spelled(first->type) + ")`, or begin with " +
            spelled(last->type)};
  return {};
}

void Emitter::checkCarried(const ast::Node &loop, const std::vector<Carried> &carried,
                           const Scope &before, ast::Identifier index) {
  auto reject = [&](std::string_view name, DiagnosticKind kind, Message message,
                    std::vector<std::string> notes = {},
                    std::optional<SourceRange> whole = std::nullopt) {
    Diagnostic diagnostic;
    diagnostic.kind = kind;
    diagnostic.range = fileRange(bindingIn(loop, name));
    std::move(message).about(name).writeTo(diagnostic);
    diagnostic.notes = std::move(notes);
    const std::string number(whole ? sourceText(*m_frame, fileRange(*whole)) : std::string_view());
    if (!number.empty()) {
      const std::string begin = "begin with `" + std::string(name) + " = " + number + ".0`";
      diagnostic.notes = {begin};
      diagnostic.fixes = {{fileRange(*whole), number + ".0", begin}};
    }
    const ast::Name *first = m_frame->function ? findAssignment(*m_frame->function, name) : nullptr;
    if (first && first->range.begin < loop.range.begin)
      diagnostic.labels.push_back({fileRange(first->range), "it gets its first value here"});
    report(std::move(diagnostic));
    m_frame->locals.set(name, Value::poison());
  };
  for (const Carried &name : carried) {
    const Value &after = *m_frame->locals.find(name.name);
    if (!after.isPoison() && !after.hasTypeOf(name.initial))
      reject(name.name, DiagnosticKind::LoopCarriedType,
             {"loop-carried variable `{}` has initial type `{}` but is re-assigned to `{}` in the "
              "loop: its type must stay the same",
              name.name, name.initial, after},
             carriedNotes(name.name, name.initial, after),
             wholeBeginning(m_frame->function, name.name, name.initial, after));
  }
  for (const Scope::Entry &entry : before.entries()) {
    bool isCarried =
        std::ranges::any_of(carried, [&](const Carried &name) { return name.name == entry.name; });
    if (isCarried || entry.name == index || entry.value.isPoison())
      continue;
    const Value &after = *m_frame->locals.find(entry.name);
    if (!after.isPoison() && !after.hasTypeOf(entry.value))
      reject(
          entry.name, DiagnosticKind::LoopCarriedType,
          {"cannot reassign the constexpr `{}` in the loop (it was {})", entry.name, entry.value});
  }
}

Outcome Emitter::unroll(const ast::For &loop, const std::vector<Value> &items) {
  // The rest of the iterations is what follows an iteration that may have returned.
  std::function<Outcome(size_t)> iterate = [&](size_t i) -> Outcome {
    for (; i < items.size(); ++i) {
      checkStop();
      if (++m_numUnrolled > kMaxUnrolled)
        fail(DiagnosticKind::UnrollTooLarge,
             "the loops of this kernel expand to more than " + std::to_string(kMaxUnrolled) +
                 " iterations: use `range` instead of `tl.static_range`");
      assignTo(*loop.target, items[i]);
      Outcome outcome = emitStatements(loop.body);
      if (outcome.kind == Outcome::Kind::Returns)
        return outcome;
      if (outcome.kind == Outcome::Kind::Maybe) {
        auto emitFollowing = [&] { return iterate(i + 1); };
        Rest rest{emitFollowing, false, false, false};
        return continueAfter(std::move(outcome), rest);
      }
    }
    return {};
  };
  return iterate(0);
}

Outcome Emitter::emitFor(const ast::For &loop) {
  if (loop.kind == ast::NodeKind::AsyncFor)
    fail(DiagnosticKind::UnsupportedSyntax, "`async for` is not supported");
  if (!loop.orelse.empty())
    fail(DiagnosticKind::UnsupportedSyntax, "`else` after a loop is not supported");
  if (m_frame->isCompileTime)
    return unroll(loop, items(evaluate(*loop.iter)));
  const auto *call = ast::as<ast::Call>(loop.iter);
  Value iterator = call ? evaluate(*call->func) : Value();
  const constant::Value *callee = iterator.constant();
  if (callee && callee->isBuiltin() && callee->str() == "range") {
    emitRangeLoop(loop, *call, false);
    return {};
  }
  const auto *type = callee ? callee->as<TypeObject>() : nullptr;
  if (type && type->name == "range") {
    emitRangeLoop(loop, *call, true);
    return {};
  }
  if (type && type->name == "static_range") {
    constant::Value::Items bounds;
    for (const CallArgument &argument : evaluateArguments(*call)) {
      if (argument.value.isPoison())
        throw PoisonUsed{};
      const constant::Value *bound = argument.value.constant();
      if (!bound || !(bound->isInt() || bound->isBool()))
        failAt(argument.range, DiagnosticKind::NotConstexpr,
               {"`tl.static_range` needs constexpr integers, got {}", argument.value},
               {"`range` counts at run time"});
      bounds.push_back(*bound);
    }
    return unroll(loop, items(Value(orFail(constant::callBuiltin("range", bounds, {})))));
  }
  failIteration(*this, *loop.iter);
}

namespace {
/// What a loop counts through, all of one type. `scf.for` counts upwards: a negative step swaps the
/// bounds, and the index is mirrored.
struct LoopBounds {
  Tensor lower;
  Tensor upper;
  Tensor step;
  bool isMirrored = false;
};
} // namespace

static Tensor loopBound(Emitter &emitter, const Value &value, std::string_view what) {
  Tensor bound = emitter.ops.toTensor(value);
  if (bound.isBlock())
    emitter.fail(DiagnosticKind::TypeMismatch,
                 {"for {} must be a scalar, got {}", what, bound.type});
  if (bound.type.isPointer() || !isInteger(bound.dtype()))
    emitter.fail(
        DiagnosticKind::TypeMismatch,
        {"for loop bounds and step must all be ints, but the {} is `{}`", what, bound.type});
  return bound;
}

static LoopBounds boundsOf(Emitter &emitter, const BuiltinCall &arguments) {
  Value lower = arguments[0], upper = arguments[1], step = arguments[2];
  if (upper.isNone()) {
    upper = lower;
    lower = Value::integer(0);
  }
  if (step.isNone())
    step = Value::integer(1);
  if (step.isNumber() && !constant::truth(*step.constant()))
    emitter.fail(DiagnosticKind::BadArgument,
                 "the step of a loop must not be zero: it would never end");
  const bool isMirrored =
      step.isNumber() && step.constant()->isInt() && step.constant()->integer().isNegative();
  if (isMirrored) {
    step = constant::Value::integer(-step.constant()->integer());
    std::swap(lower, upper);
  }
  LoopBounds bounds{loopBound(emitter, lower, "lower bound"),
                    loopBound(emitter, upper, "upper bound"), loopBound(emitter, step, "step"),
                    isMirrored};
  const ScalarType type{promoteIntegers(promoteIntegers(bounds.lower.dtype(), bounds.upper.dtype()),
                                        bounds.step.dtype())};
  for (Tensor *bound : {&bounds.lower, &bounds.upper, &bounds.step})
    *bound = emitter.ops.cast(*bound, type);
  return bounds;
}

/// Python's `range` has no keywords.
static void dropHints(Emitter &emitter, std::vector<CallArgument> &arguments) {
  std::erase_if(arguments, [&](const CallArgument &argument) {
    if (argument.keyword.empty())
      return false;
    Emitter::Place place(emitter, argument.range);
    emitter.warn(DiagnosticKind::BadCall, "`range` ignores `" + std::string(argument.keyword) +
                                              "`: `tl.range` takes hints for a loop");
    return true;
  });
}

/// Attributes that `tl.range` leaves on the loop for later passes.
static void setLoopHints(TensorOps &ops, scf::ForOp loop, const BuiltinCall &hints) {
  mlir::OpBuilder &builder = ops.builder;
  auto setInteger = [&](size_t parameter, llvm::StringRef name) {
    if (!hints.isNone(parameter))
      loop->setAttr(name,
                    builder.getI32IntegerAttr(static_cast<int32_t>(hints.integer(parameter))));
  };
  auto setFlag = [&](size_t parameter, llvm::StringRef name) {
    if (hints.boolean(parameter))
      loop->setAttr(name, builder.getUnitAttr());
  };
  setInteger(3, tt::kNumStagesAttr);
  setInteger(4, tt::kLoopUnrollFactorAttr);
  setFlag(5, tt::kDisallowAccMultiBufferAttr);
  setFlag(6, tt::kFlattenAttr);
  setFlag(7, tt::kWarpSpecializeAttr);
  if (hints.boolean(8)) {
    namespace llvmir = mlir::LLVM;
    auto licm = llvmir::LoopLICMAttr::get(builder.getContext(), builder.getBoolAttr(true), {});
    loop->setAttr("llvm.loop_annotation",
                  llvmir::LoopAnnotationAttr::get(builder.getContext(), {}, {}, {}, {}, {}, licm,
                                                  {}, {}, {}, {}, {}, {}, {}, {}, {}));
  }
}

void Emitter::emitRangeLoop(const ast::For &loop, const ast::Call &call, bool hasHints) {
  const auto *target = ast::as<ast::Name>(loop.target);
  if (!target)
    failAt(fileRange(loop.target->range), DiagnosticKind::UnsupportedSyntax,
           "the target of a `for` loop must be a name");
  const Builtin &signature = *findBuiltin(hasHints ? "loop.range" : "loop.plain_range");
  std::vector<CallArgument> given = evaluateArguments(call);
  if (!hasHints)
    dropHints(*this, given);
  BuiltinCall arguments(*this, signature, std::move(given), fileRange(call.range));
  Place place(*this, loop.iter->range);
  const LoopBounds bounds = boundsOf(*this, arguments);
  std::vector<Carried> carried = carriedBy(loop, target->id);
  if (std::optional<Carried> index = carriedIndex(loop, target->id, bounds.lower))
    carried.push_back(*index);
  Scope before = m_frame->locals;
  llvm::SmallVector<mlir::Value> initial = initialHandles(carried);
  auto forOp = scf::ForOp::create(ops.builder, location(), bounds.lower.handle, bounds.upper.handle,
                                  bounds.step.handle, initial);
  if (hasHints)
    setLoopHints(ops, forOp, arguments);
  mlir::Block *body = forOp.getBody();
  // Without carried values the builder has put a terminator.
  if (!body->empty())
    body->back().erase();
  forOp.getInductionVar().setLoc(
      mlir::NameLoc::get(mlir::StringAttr::get(ops.context(), target->id), location()));

  {
    mlir::OpBuilder::InsertionGuard guard(ops.builder);
    ops.builder.setInsertionPointToStart(body);
    Tensor index{forOp.getInductionVar(), bounds.lower.type};
    if (bounds.isMirrored) {
      index = ops.binary(ast::BinaryOpKind::Sub, bounds.upper, index);
      index = ops.binary(ast::BinaryOpKind::Add, index, bounds.lower);
    }
    llvm::SmallVector<mlir::Value> iterArgs(forOp.getRegionIterArgs());
    llvm::ArrayRef<mlir::Value> remaining = iterArgs;
    for (const Carried &name : carried) {
      size_t numBefore = remaining.size();
      m_frame->locals.set(name.name, name.initial.rebuild(remaining));
      for (mlir::Value argument : llvm::ArrayRef<mlir::Value>(iterArgs).slice(
               iterArgs.size() - numBefore, numBefore - remaining.size()))
        argument.setLoc(
            mlir::NameLoc::get(mlir::StringAttr::get(ops.context(), name.name), location()));
    }
    // Last: a carried index is what this iteration counts, not what the one before did.
    assignTo(*target, index);
    ++m_frame->loopDepth;
    emitStatements(loop.body);
    --m_frame->loopDepth;
    checkCarried(loop, carried, before, target->id);
    llvm::SmallVector<mlir::Value> yielded;
    for (const Carried &name : carried) {
      const Value &value = *m_frame->locals.find(name.name);
      value.flatten(yielded);
    }
    ops.create<scf::YieldOp>(yielded);
  }
  llvm::SmallVector<mlir::Value> results(forOp.getResults());
  llvm::ArrayRef<mlir::Value> remaining = results;
  Scope after = std::move(before);
  for (const Carried &name : carried) {
    bool isPoison = m_frame->locals.find(name.name)->isPoison();
    Value result = name.initial.rebuild(remaining);
    // The index counts in the type of the bounds; what had another type before keeps it.
    if (const Value *known = name.name == target->id ? after.find(name.name) : nullptr)
      result = ops.cast(*result.tensor(), known->tensor()->type.scalar);
    after.set(name.name, isPoison ? Value::poison() : result);
  }
  m_frame->locals = std::move(after);
}

void Emitter::emitWhile(const ast::While &loop) {
  if (!loop.orelse.empty())
    fail(DiagnosticKind::UnsupportedSyntax, "`else` after a loop is not supported");
  if (m_frame->isCompileTime) {
    while (constexprTruth(evaluate(*loop.test))) {
      checkStop();
      if (++m_numUnrolled > kMaxUnrolled)
        fail(DiagnosticKind::UnrollTooLarge, "the loop does not end at compile time");
      emitStatements(loop.body);
    }
    return;
  }
  std::vector<Carried> carried = carriedBy(loop, {});
  Scope before = m_frame->locals;
  llvm::SmallVector<mlir::Value> initial = initialHandles(carried);
  llvm::SmallVector<mlir::Type> types(mlir::ValueRange(initial).getTypes());
  llvm::SmallVector<mlir::Location> locations(types.size(), location());
  auto whileOp = scf::WhileOp::create(ops.builder, location(), types, initial);
  mlir::Block *test = ops.builder.createBlock(&whileOp.getBefore(), {}, types, locations);
  mlir::Block *body = ops.builder.createBlock(&whileOp.getAfter(), {}, types, locations);
  auto bind = [&](mlir::Block *block) {
    llvm::SmallVector<mlir::Value> arguments(block->getArguments());
    llvm::ArrayRef<mlir::Value> remaining = arguments;
    for (const Carried &name : carried)
      m_frame->locals.set(name.name, name.initial.rebuild(remaining));
    ops.builder.setInsertionPointToEnd(block);
  };
  auto current = [&] {
    llvm::SmallVector<mlir::Value> handles;
    for (const Carried &name : carried)
      m_frame->locals.find(name.name)->flatten(handles);
    return handles;
  };
  {
    mlir::OpBuilder::InsertionGuard guard(ops.builder);
    bind(test);
    bool known = false;
    std::optional<mlir::Value> runtime = condition(*loop.test, known);
    if (!runtime) {
      ops.builder.setInsertionPointAfter(whileOp);
      failAt(fileRange(loop.test->range), DiagnosticKind::AmbiguousCondition,
             "the condition of `while` must be a run-time scalar, but it is always " +
                 std::string(known ? "true" : "false"),
             {"make the condition depend on a value that the loop changes"});
    }
    ops.create<scf::ConditionOp>(*runtime, current());
    bind(body);
    ++m_frame->loopDepth;
    emitStatements(loop.body);
    --m_frame->loopDepth;
    checkCarried(loop, carried, before, {});
    ops.create<scf::YieldOp>(current());
  }
  ops.builder.setInsertionPointAfter(whileOp);
  llvm::SmallVector<mlir::Value> results(whileOp.getResults());
  llvm::ArrayRef<mlir::Value> remaining = results;
  Scope after = std::move(before);
  for (const Carried &name : carried) {
    bool isPoison = m_frame->locals.find(name.name)->isPoison();
    Value result = name.initial.rebuild(remaining);
    after.set(name.name, isPoison ? Value::poison() : result);
  }
  m_frame->locals = std::move(after);
}

} // namespace tilescope::compiler::frontend
